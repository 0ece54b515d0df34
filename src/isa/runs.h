// A tile's bytes as runs that lie side by side, in the order of its pattern.
#pragma once

#include <array>
#include <cstdint>

#include "isa/tile.h"

namespace trainyard::isa {

// Calls f(first byte, bytes) for each run of one partition (on chip) or of the tensor (HBM); stops
// when f returns false.
template <typename F>
void for_each_run(const Tile& tile, F&& f) {
  const Tile flat = simplified(tile);
  const std::int64_t width = flat.element_bytes();
  const bool dense = flat.rank > 0 && flat.dims[flat.rank - 1u].step == 1;
  const std::int64_t run = (dense ? flat.dims[flat.rank - 1u].count : 1) * width;
  // Dimensions outside the innermost run are walked like an odometer.
  const int outer = dense ? flat.rank - 1 : flat.rank;
  std::array<std::int32_t, rank_max> at{};
  std::int64_t element = 0;
  for (;;) {
    if (!f(flat.offset + element * width, run)) return;
    int d = outer - 1;
    for (; d >= 0; --d) {
      const auto k = static_cast<std::size_t>(d);
      element += flat.dims[k].step;
      if (++at[k] < flat.dims[k].count) break;
      element -= std::int64_t{flat.dims[k].step} * flat.dims[k].count;
      at[k] = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace trainyard::isa
