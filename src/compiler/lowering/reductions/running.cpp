#include "compiler/lowering/reductions/running.h"

#include "base/units.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/window.h"
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

void scan_linearly(Segment& segment, const Strided& factors, const Strided& summands,
                   const Strided& initial, const Strided& to) {
  Emitter& emitter = segment.emitter();
  const std::size_t rows = to.dims.size() - 1;
  Strided column = initial;
  column.dims.push_back({1, 1});
  const Matrix by = matrix_of(factors, rows), add = matrix_of(summands, rows),
               write = matrix_of(to, rows), begin = matrix_of(column, rows);
  const std::int64_t turns = to.dims.back().size, height = emitter.core().sbuf.partitions;
  const auto scan = [&](std::int64_t first_row, std::int64_t row_count) {
    Loader loader(emitter, segment.residents());
    isa::Tile before{};  // the last column of the part before
    for (Window window : windows(row_count, turns, height, tile_columns)) {
      window.row += first_row;
      if (window.column == 0) {
        Window first = window;
        first.columns = 1;
        before = loader.load(begin, first);
      }
      const isa::Tile factor = loader.load(by, window), summand = loader.load(add, window);
      const isa::Tile states = emitter.sbuf(isa::DType::float32, window.rows, window.columns);
      emitter.emit(isa::TensorTensorScan{.dst = states,
                                         .data0 = factor,
                                         .data1 = summand,
                                         .initial = {.tile = before},
                                         .op0 = AluOp::multiply,
                                         .op1 = AluOp::add});
      before = part(states, 0, window.rows, window.columns - 1, 1);
      store(emitter, states, write, window);
    }
  };
  const std::int64_t all = product(std::span(initial.dims));
  const std::int64_t bytes = all * turns * numerics::size_in_bytes(isa::DType::float32);
  if (emitter.cores() > 1 && all > height && bytes >= divided_bytes_min) {
    const std::int64_t middle =
        base::ceil_div(base::ceil_div(all, height), std::int64_t{2}) * height;
    emitter.in_halves(
        [&](std::uint8_t half) { half == 0 ? scan(0, middle) : scan(middle, all - middle); });
  } else {
    scan(0, all);
  }
}

}  // namespace trainyard::compiler
