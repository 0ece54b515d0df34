#include "compiler/lowering/rows/column_halves.h"

#include <array>

#include "compiler/lowering/tiles/tile_math.h"

namespace trainyard::compiler {

using isa::DType;
using isa::Tile;

ColumnHalves::ColumnHalves(Emitter& emitter, std::int64_t sums, std::int64_t columns)
    : emitter_(emitter), columns_(columns) {
  if (sums == 0) return;
  const std::array<std::int64_t, 3> shape{sums, 2, columns};
  place_ = matrix_of(dense(emitter.hbm(DType::float32, shape), DType::float32, shape), 2);
}

Window ColumnHalves::window(int index, std::int64_t half) const {
  return {2 * index + half, 1, 0, columns_};
}

void ColumnHalves::store(ColumnSums& sums, int index, std::uint8_t half) {
  compiler::store(emitter_, sums.take(index, DType::float32), place_, window(index, half));
}

Tile ColumnHalves::added(int index, DType dtype) const {
  const TileMath math(emitter_, 1, columns_);
  const std::array<Tile, 2> halves{math.fresh(DType::float32), math.fresh(DType::float32)};
  for (std::size_t half = 0; half < 2; ++half)
    compiler::load(emitter_, place_, window(index, static_cast<std::int64_t>(half)), halves[half]);
  return math.tensor(math.fresh(dtype), halves[0], numerics::AluOp::add, halves[1]);
}

}  // namespace trainyard::compiler
