#include "plan/messages.h"

#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace trainyard::plan {

void put(std::string& out, const graph::Literal& literal) {
  base::put_byte(out, literal.splat ? 1 : 0);
  base::put_string(out,
                   {reinterpret_cast<const char*>(literal.content.data()), literal.content.size()});
}

Shared take_literal(base::ByteReader& reader, const graph::Type& type) {
  graph::Literal literal{.type = type, .splat = reader.varint_at_most(1, "a flag") != 0};
  const std::string_view content = reader.string();
  const std::int64_t each = graph::size_in_bytes(type.element);
  if (std::ssize(content) != (literal.splat ? each : each * type.elements()))
    reader.malformed("values of another size");
  literal.content.resize(content.size());
  if (!content.empty()) std::memcpy(literal.content.data(), content.data(), content.size());
  return std::make_shared<const graph::Literal>(std::move(literal));
}

}  // namespace trainyard::plan
