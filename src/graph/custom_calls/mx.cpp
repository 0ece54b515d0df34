#include "graph/custom_calls/mx.h"

#include <algorithm>
#include <array>

namespace trainyard::graph::custom_calls {

namespace {

constexpr std::array<Format, 2> formats{{{"float8_e4m3fn", ElementType::f8e4m3fn, 8, "448.0"},
                                         {"float8_e5m2", ElementType::f8e5m2, 15, "57344.0"}}};

}  // namespace

const Format* format_of(const json& config, const char* key, const char* otherwise) {
  const json value = config.value(key, json(otherwise));
  if (!value.is_string()) return nullptr;
  const auto* const found = std::ranges::find(formats, value.get<std::string>(), &Format::dtype);
  return found == formats.end() ? nullptr : found;
}

Shape with_parts(Shape shape, std::size_t dimension, std::int64_t part) {
  shape[dimension] /= part;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, part);
  return shape;
}
Shape divided(Shape shape, std::size_t dimension, std::int64_t part) {
  shape[dimension] /= part;
  return shape;
}
Shape with_last(Shape shape, std::int64_t size) {
  shape.push_back(size);
  return shape;
}
Dimensions but_part(std::size_t rank, std::size_t dimension) {
  Dimensions kept;
  for (std::size_t i = 0; i < rank; ++i) {
    if (i != dimension + 1) kept.push_back(i);
  }
  return kept;
}
bool is_scale(const Type& type) {
  return type.element == ElementType::u8 || type.element == ElementType::f8e8m0fnu;
}

}  // namespace trainyard::graph::custom_calls
