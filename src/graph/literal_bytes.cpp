#include "graph/literal_bytes.h"

#include <cstring>
#include <vector>

#include "graph/values.h"

namespace trainyard::graph {

void join_equal(Literal& literal) {
  const auto size = static_cast<std::size_t>(size_in_bytes(literal.type.element));
  std::vector<std::byte>& content = literal.content;
  if (literal.splat || content.size() <= size) return;
  for (std::size_t i = size; i < content.size(); i += size) {
    if (std::memcmp(content.data(), content.data() + i, size) != 0) return;
  }
  content.resize(size);
  literal.splat = true;
}

std::optional<Literal> literal_of_bytes(Type type, std::span<const std::byte> bytes) {
  const auto count = static_cast<std::size_t>(type.elements());
  const auto each = static_cast<std::size_t>(size_in_bytes(type.element));
  Literal made{.type = std::move(type)};
  constexpr std::byte packed_true{0xFF};
  const bool is_pred = made.type.element == ElementType::pred;
  if (is_pred && bytes.size() == 1 && bytes[0] == packed_true) {
    made.content = {std::byte{1}};
  } else if (is_pred && bytes.size() != count && bytes.size() == (count + 7) / 8) {
    made.content.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      made.content[i] = (bytes[i / 8] >> (i % 8)) & std::byte{1};
  } else {
    made.content.assign(bytes.begin(), bytes.end());
  }
  made.splat = count != 1 && made.content.size() == each;
  if (count == 0) {
    made.content.clear();
    made.splat = false;
  } else if (!made.splat && made.content.size() != count * each) {
    return std::nullopt;
  }
  normalise_small_integers(made.type.element, made.content);
  if (is_pred) join_equal(made);  // false, packed, is no splat in MLIR's bytes
  return made;
}

}  // namespace trainyard::graph
