#include "compiler/lowering/rows/running.h"

#include "compiler/lowering/elementwise/group.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/tiles/window.h"
#include "isa/instructions/tensor_tensor_scan.h"

namespace trainyard::compiler {

namespace {

using numerics::AluOp;

Strided dimension_last(const Strided& value, std::size_t dim) {
  Strided turned = value;
  turned.dims.erase(turned.dims.begin() + static_cast<std::ptrdiff_t>(dim));
  turned.dims.push_back(value.dims[dim]);
  return turned;
}

}  // namespace

bool runs(AluOp op) {
  return op == AluOp::add || op == AluOp::multiply || op == AluOp::maximum || op == AluOp::minimum;
}

void run_along(Emitter& emitter, AluOp op, const Strided& from, const Strided& to,
               std::size_t dim) {
  const std::size_t rows = from.dims.size() - 1;
  const Strided source = dimension_last(from, dim), target = dimension_last(to, dim);
  const Matrix read = matrix_of(source, rows), write = matrix_of(target, rows);
  isa::Tile before{};  // the last column of the part before
  for (const Window& window :
       windows(product(std::span(source.dims).first(rows)), source.dims.back().size,
               emitter.core().sbuf.partitions, tile_columns)) {
    if (window.column == 0) before = {};
    const isa::Tile data = emitter.sbuf(from.dtype, window.rows, window.columns);
    load(emitter, read, window, data);
    const TileMath math(emitter, window.rows, window.columns);
    const isa::Tile sums = math.fresh(isa::DType::float32);
    const isa::Tile one = math.filled(isa::DType::float32, 1);
    // acc = (1 * acc) op data; the first element meets nothing.
    const double neutral = op == AluOp::add ? 0.0 : 1.0;
    const bool chooses = op == AluOp::maximum || op == AluOp::minimum;
    const isa::Tile first = part(data, 0, window.rows, 0, 1);
    isa::Scalar initial{.constant = neutral};
    if (before) {
      initial = {.tile = before};
    } else if (chooses) {
      const TileMath column(emitter, window.rows, 1);
      initial = {.tile = column.copy(column.fresh(isa::DType::float32), first)};
    }
    emitter.emit(isa::TensorTensorScan{.dst = sums,
                                       .data0 = one,
                                       .data1 = data,
                                       .initial = initial,
                                       .op0 = AluOp::multiply,
                                       .op1 = op});
    before = part(sums, 0, window.rows, window.columns - 1, 1);
    store(emitter, to.dtype == isa::DType::float32 ? sums : math.copy(math.fresh(to.dtype), sums),
          write, window);
  }
}

}  // namespace trainyard::compiler
