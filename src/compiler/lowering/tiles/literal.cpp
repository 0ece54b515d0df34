#include "compiler/lowering/tiles/literal.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "compiler/lowering/tiles/elementwise.h"
#include "numerics/convert.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;

// Negative zero is no number here: memset and immediates write +0.
std::optional<double> number_of(ElementType type, std::span<const std::byte> element) {
  const std::optional<isa::DType> dtype = storage_of(type);
  if (!dtype || element.size() > 4) return std::nullopt;
  std::uint32_t bits = 0;
  std::memcpy(&bits, element.data(), element.size());
  if (type == ElementType::s32) return static_cast<std::int32_t>(bits);
  if (type == ElementType::u32) return bits;
  const double value = numerics::to_float(*dtype, bits);
  if (std::isnan(value) || (value == 0 && std::signbit(value))) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> one_number(const graph::Literal& literal) {
  const auto size = static_cast<std::size_t>(graph::size_in_bytes(literal.type.element));
  const std::span<const std::byte> content(literal.content);
  if (content.size() < size) return std::nullopt;
  const std::span<const std::byte> first = content.first(size);
  for (std::size_t at = size; at < content.size(); at += size) {
    if (!std::ranges::equal(content.subspan(at, size), first)) return std::nullopt;
  }
  return number_of(literal.type.element, first);
}

std::optional<graph::Literal> counting(ElementType type, std::int64_t count) {
  const std::optional<isa::DType> dtype = storage_of(type);
  const auto size = static_cast<std::size_t>(graph::size_in_bytes(type));
  if (!dtype || size > 4) return std::nullopt;
  graph::Literal literal{.type = {.element = type, .shape = {count}}};
  literal.content.resize(static_cast<std::size_t>(count) * size);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = graph::is_integer(type)
                                   ? static_cast<std::uint32_t>(i)
                                   : numerics::from_float(*dtype, static_cast<float>(i));
    std::memcpy(literal.content.data() + static_cast<std::size_t>(i) * size, &bits, size);
  }
  return literal;
}

}  // namespace trainyard::compiler
