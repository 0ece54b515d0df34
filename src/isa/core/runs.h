// A tile's bytes as runs that lie side by side, in the order of its pattern.
#pragma once

#include <array>
#include <cstdint>

#include "isa/core/tile.h"

namespace trainyard::isa {

// Calls f(element) with the offset of each position of the `outer` slowest dimensions, in pattern
// order; stops when f returns false.
template <typename F>
void for_each_outer(const Tile& tile, int outer, F&& f) {
  std::array<std::int32_t, rank_max> at{};  // an odometer
  std::int64_t element = 0;
  for (;;) {
    if (!f(element)) return;
    int d = outer - 1;
    for (; d >= 0; --d) {
      const auto k = static_cast<std::size_t>(d);
      element += tile.dims[k].step;
      if (++at[k] < tile.dims[k].count) break;
      element -= std::int64_t{tile.dims[k].step} * tile.dims[k].count;
      at[k] = 0;
    }
    if (d < 0) return;
  }
}

// Calls f(first byte, bytes) for each run of one partition (on chip) or of the tensor (HBM); stops
// when f returns false.
template <typename F>
void for_each_run(const Tile& tile, F&& f) {
  const Tile flat = simplified(tile);
  const std::int64_t width = flat.element_bytes();
  const bool dense = flat.rank > 0 && flat.dims[flat.rank - 1u].step == 1;
  const std::int64_t run = (dense ? flat.dims[flat.rank - 1u].count : 1) * width;
  for_each_outer(flat, dense ? flat.rank - 1 : flat.rank,
                 [&](std::int64_t element) { return f(flat.offset + element * width, run); });
}

}  // namespace trainyard::isa
