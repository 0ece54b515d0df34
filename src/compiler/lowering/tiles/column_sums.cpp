#include "compiler/lowering/tiles/column_sums.h"

#include <algorithm>

#include "base/units.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;

constexpr std::int64_t word = 4;  // bytes of a sum
// Of PSUM, what sums leave to the products and transposes of the same pass.
constexpr std::int64_t banks_left = 3;

isa::IntPair pair(std::int64_t rows, std::int64_t columns) {
  return {.items = {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)},
          .count = 2};
}

std::int64_t width_of(std::int64_t columns, const machine::Core& core) {
  const std::int64_t room =
      core.psum.partition_size().value - banks_left * core.psum.bank_size.value;
  return std::min(columns, room / word);
}

}  // namespace

// Sums lie in lanes: partitions where parts of the array's columns begin. A long one takes several.
int ColumnSums::most(std::int64_t columns, const machine::Core& core) {
  const std::int64_t lanes =
      core.features.column_tiling ? core.array.columns / core.array.tile_columns_min : 1;
  return static_cast<int>(lanes / base::ceil_div(columns, width_of(columns, core)));
}

ColumnSums::Place ColumnSums::place(int index, std::int64_t column) {
  const machine::Core& core = emitter_.core();
  const std::int64_t width = width_of(columns_, core);
  if (!all_) all_ = emitter_.psum(DType::float32, core.psum.partitions, width);
  const std::int64_t lane = index * base::ceil_div(columns_, width) + column / width;
  return {lane, part(all_, lane * core.array.tile_columns_min, 1, column % width,
                     std::min(width - column % width, columns_ - column))};
}

void ColumnSums::begin() {
  all_ = {};
  ones_.clear();
  begun_.clear();
}

Tile ColumnSums::ones(DType dtype) {
  Tile& ones = ones_[dtype];
  if (!ones) {
    ones = emitter_.sbuf(dtype, emitter_.core().array.rows, 1);
    emitter_.emit(isa::Memset{.dst = ones, .value = 1});
  }
  return ones;
}

void ColumnSums::add(int index, const Tile& band, std::int64_t first, const Tile& weights) {
  const machine::Core& core = emitter_.core();
  const Tile stationary = weights ? weights : ones(band.dtype);
  const std::int64_t width = core.psum.bank_size.value / word;
  const std::int64_t end = first + band.free_elements();
  for (std::int64_t column = first; column < end;) {
    const std::int64_t count = std::min(width - column % width, end - column);
    const bool is_first = begun_.emplace(index, column).second;
    const auto [lane, dst] = place(index, column);
    isa::NcMatmul made;
    made.dst = part(dst, 0, 1, 0, count);
    made.stationary = part(stationary, 0, band.partitions, 0, 1);
    made.moving = part(band, 0, band.partitions, column - first, count);
    made.is_stationary_onezero = !weights;
    made.accumulate = is_first ? isa::Accumulate::overwrite : isa::Accumulate::add;
    if (lane > 0) {
      made.tile_position = pair(0, lane * core.array.tile_columns_min);
      made.tile_size = pair(core.array.rows, core.array.tile_columns_min);
    }
    emitter_.emit(made);
    column += count;
  }
}

Tile ColumnSums::take(int index, DType dtype) {
  const Tile made = emitter_.sbuf(dtype, 1, columns_);
  for (std::int64_t column = 0; column < columns_;) {
    const Tile sums = place(index, column).tile;
    const std::int64_t count = sums.free_elements();
    emitter_.emit(isa::TensorCopy{.dst = part(made, 0, 1, column, count), .src = sums});
    begun_.erase({index, column});  // what is added from here on is another sum
    column += count;
  }
  return made;
}

}  // namespace trainyard::compiler
