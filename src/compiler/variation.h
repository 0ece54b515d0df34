// Choices of the compiler made otherwise, to time what they would have taken: compile --explain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace trainyard::compiler {

struct Variation {
  std::string_view words = "as it is";
  std::string_view of{};  // what regions that it can change say of themselves; empty: all
  bool fuses_attention = true;
  bool clusters_rows = true;
  bool overlaps_rows = true;      // bands of rows, where there is room
  bool views_images = true;       // a convolution's taps are views of the image
  bool rearranges = true;         // elements that lie apart in HBM go by way of engines
  bool keeps_on_chip = true;      // values between operations
  std::int64_t tile_divisor = 1;  // of the columns of elementwise tiles
  std::int64_t attention_bands =
      std::numeric_limits<std::int64_t>::max();    // under way, two or more
  std::optional<bool> attention_turns_on_array{};  // probabilities, which otherwise the DMA turns
  std::optional<std::size_t> product_way{};  // of those of product_ways.h, where it has as many
};

// All of them; the first one changes nothing.
[[nodiscard]] std::span<const Variation> variations();

}  // namespace trainyard::compiler
