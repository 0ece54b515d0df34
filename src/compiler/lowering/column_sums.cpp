#include "compiler/lowering/column_sums.h"

#include <algorithm>

#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;

constexpr std::int64_t word = 4;  // bytes of a sum

isa::IntPair pair(std::int64_t rows, std::int64_t columns) {
  return {.items = {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)},
          .count = 2};
}

}  // namespace

// Each sum lies in one partition, at the start of a part of the array's columns.
int ColumnSums::most(std::int64_t columns, const machine::Core& core) {
  if (columns * word > core.psum.partition_size().value) return 0;
  if (!core.features.column_tiling) return 1;
  return static_cast<int>(core.array.columns / core.array.tile_columns_min);
}

Tile ColumnSums::place(int index) {
  const machine::Core& core = emitter_.core();
  if (!all_) all_ = emitter_.psum(DType::float32, core.psum.partitions, columns_);
  return part(all_, index * core.array.tile_columns_min, 1, 0, columns_);
}

void ColumnSums::add(int index, const Tile& band) {
  const machine::Core& core = emitter_.core();
  Tile& ones = ones_[band.dtype];
  if (!ones) {
    ones = emitter_.sbuf(band.dtype, core.array.rows, 1);
    emitter_.emit(isa::Memset{.dst = ones, .value = 1});
  }
  const bool is_first = begun_.insert(index).second;
  const std::int64_t width = core.psum.bank_size.value / word;
  for (std::int64_t column = 0; column < columns_; column += width) {
    const std::int64_t count = std::min(width, columns_ - column);
    isa::NcMatmul made;
    made.dst = part(place(index), 0, 1, column, count);
    made.stationary = part(ones, 0, band.partitions, 0, 1);
    made.moving = part(band, 0, band.partitions, column, count);
    made.is_stationary_onezero = true;
    made.accumulate = is_first ? isa::Accumulate::overwrite : isa::Accumulate::add;
    if (index > 0) {
      const std::int64_t start = index * core.array.tile_columns_min;
      made.tile_position = pair(0, start);
      made.tile_size = pair(core.array.rows, core.array.tile_columns_min);
    }
    emitter_.emit(made);
  }
}

Tile ColumnSums::take(int index, DType dtype) {
  const Tile made = emitter_.sbuf(dtype, 1, columns_);
  emitter_.emit(isa::TensorCopy{.dst = made, .src = place(index)});
  return made;
}

}  // namespace trainyard::compiler
