// What QuantizeMX and products of its results share: formats, blocks, configuration.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "graph/custom_calls/call.h"

namespace trainyard::graph::custom_calls {

using nlohmann::json;
using Shape = std::vector<std::int64_t>;
using Dimensions = std::vector<std::size_t>;
inline constexpr std::int64_t mx_block = 32;
inline constexpr std::int64_t mx_pack = 4;  // elements of FP8 in a word

struct Format {
  std::string_view dtype;
  ElementType type;
  int largest_exponent;
  std::string_view largest;
};
// Of a configuration's key; null where it is not a format of MXFP8.
[[nodiscard]] const Format* format_of(const json& config, const char* key, const char* otherwise);

[[nodiscard]] Shape divided(Shape shape, std::size_t dimension, std::int64_t part);
[[nodiscard]] Shape with_parts(Shape shape, std::size_t dimension,
                               std::int64_t part);  // [.., d / part, part, ..]
[[nodiscard]] Shape with_last(Shape shape, std::int64_t size);
// [0 .. rank) without the dimension that with_parts() puts behind `dimension`.
[[nodiscard]] Dimensions but_part(std::size_t rank, std::size_t dimension);
[[nodiscard]] bool is_scale(const Type& type);  // bytes of E8M0

template <typename List>
std::string listed(const List& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace trainyard::graph::custom_calls
