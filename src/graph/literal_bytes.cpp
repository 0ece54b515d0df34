#include "graph/literal_bytes.h"

#include "graph/values.h"

namespace trainyard::graph {

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
  return made;
}

}  // namespace trainyard::graph
