// Choices of the compiler made otherwise than by rule. Which alternative a region of a program
// takes is decided by time-only runs of it (lowering/ways.h); compile --explain shows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::compiler {

// How the value of a product lies that only products read, which sum over its columns.
struct ValueLayout {
  bool is_turned = false;  // its columns on partitions, not its rows
  bool is_in_hbm = false;  // though there is room on chip

  bool operator==(const ValueLayout&) const = default;
};

struct Variation {
  bool fuses_attention = true;
  bool clusters_rows = true;
  bool overlaps_rows = true;      // bands of rows, where there is room
  bool minds_bus = false;         // of Vector and GpSimd, as passes over rows get their engines
  bool fuses_elements = true;     // operations of an elementwise cluster
  bool fuses_behind = true;       // elementwise operations behind a product
  bool spreads = true;            // elementwise operations over Vector and Scalar
  bool views_images = true;       // a convolution's taps are views of the image
  bool rearranges = true;         // elements that lie apart in HBM go by way of engines
  bool loads_turned = true;       // operands of products that lie the other way
  bool keeps_on_chip = true;      // values between operations
  bool divides = true;            // between two cores
  bool halves_batch = true;       // where that is faster than to divide each operation
  std::int64_t tile_divisor = 1;  // of the columns of elementwise tiles
  std::int64_t attention_bands =
      std::numeric_limits<std::int64_t>::max();    // under way, two or more
  std::int64_t chunk_divisor = 1;                  // of an attention's keys scored at a time
  std::optional<bool> attention_turns_on_array{};  // probabilities, which otherwise the DMA turns
  std::optional<std::size_t> product_way{};  // of those of product_ways.h, where it has as many
  std::vector<ValueLayout> layouts{};        // of a region's products; empty: each as by rule
  std::string words{};  // of the alternatives that it is made of; empty: everything by rule
};

// One choice made otherwise. A new one is a field above, a row of the table, and the place that
// reads the field.
struct Alternative {
  std::string_view words;
  std::string_view of;  // the kind of regions that it may change (lowering/ways.h); empty: all
  void (*change)(Variation&);
  bool is_quick = false;  // timed whenever a small region is compiled, not only when tuning
};
[[nodiscard]] std::span<const Alternative> alternatives();

// Also that choice made otherwise.
[[nodiscard]] Variation with(Variation variation, const Alternative& alternative);
// With these layouts in the place of those that it has.
[[nodiscard]] Variation with(Variation variation, std::vector<ValueLayout> layouts);

}  // namespace trainyard::compiler
