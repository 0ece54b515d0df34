// What the DMA instructions share: which memories they reach, and moving elements of one region to
// another.
#pragma once

#include "isa/execution.h"

namespace trainyard::isa::dma {

[[nodiscard]] inline bool reachable(const Tile& tile) {
  return tile.space == Space::hbm || tile.space == Space::sbuf;
}

// dst = src in element order (partition first on chip), cast through fp32 when the dtypes differ.
// Index lists (vector_offset) choose HBM rows; with OobMode::skip, rows out of bounds are left
// alone.
void copy(const Tile& dst, const Tile& src, OobMode oob, Execution& execution);

}  // namespace trainyard::isa::dma
