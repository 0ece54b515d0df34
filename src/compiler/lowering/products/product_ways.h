// In which tiles a product of matrices is computed: what is usual, and ways near it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/lowering/products/product_blocks.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// What one operand's blocks may take of a partition while they are used again.
inline constexpr std::int64_t kept_bytes_max = std::int64_t{40} * 1024;

struct Range {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

// What one core computes of a product, and in which tiles.
struct Extents {
  Range batches, rows, columns;
  std::int64_t row_block = 0, column_block = 0;
  std::int64_t band = 0;  // columns that are kept for all rows
  bool deep = false;      // instead, the sums of several tiles stay in PSUM
};

// By rule: as much of the right operand stays on chip as finds room.
[[nodiscard]] Extents usual_way(const Product& product, const Blocks& left, const Blocks& right,
                                const machine::Core& core);

// The usual way, or the one near it that the emitter's variation says.
[[nodiscard]] Extents chosen_way(const Emitter& emitter, const Product& product, const Blocks& left,
                                 const Blocks& right);

// How many tiles of the product lie below each other on chip: those of each batch begin at
// partition 0.
[[nodiscard]] std::int64_t bands_of(const Product& product, const machine::Core& core);

}  // namespace trainyard::compiler
