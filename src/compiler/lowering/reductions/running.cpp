#include "compiler/lowering/reductions/running.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/reductions/running_pieces.h"
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

// A value [outer..., steps, inner...] as [outer..., pieces of inner..., steps, a piece...]: what of
// one step lies in a partition is so wide. Nothing where other layouts are better: a step takes an
// instruction, and short pieces leave its fixed cost.
struct RunSteps {
  Strided value{};
  std::size_t rows = 0;  // dimensions that count them
  std::int64_t width = 1;
};
std::optional<RunSteps> in_run_steps(const Strided& value, std::size_t dim,
                                     std::int64_t partitions) {
  constexpr std::int64_t count_max = 64, width_min = 32, columns_max = 8192;
  const std::int64_t count = value.dims[dim].size;
  if (count > count_max) return std::nullopt;
  const std::int64_t most = std::min(columns_max, value.elements() / partitions) / count;
  RunSteps made{.value = value};
  std::vector<Extent>& dims = made.value.dims;
  std::size_t piece = dims.size();
  while (piece > dim + 1 && made.width * dims[piece - 1].size <= most)
    made.width *= dims[--piece].size;
  if (piece > dim + 1 && made.width < most) {  // a part of the next one
    Extent& next = dims[piece - 1];
    std::int64_t part = most / made.width;
    while (next.size % part != 0) --part;
    const Extent inner{part, next.step};
    next = {next.size / part, next.step * part};
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(piece), inner);
    made.width *= part;
  }
  if (made.width < width_min) return std::nullopt;
  const Extent steps = dims[dim];
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(piece), steps);
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dim));
  made.rows = piece - 1;
  return made;
}

// One step after the other, each for many elements at once. False where the value has no such
// steps.
bool run_in_steps(Emitter& emitter, AluOp op, const Strided& from, const Strided& to,
                  std::size_t dim) {
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const std::optional<RunSteps> source = in_run_steps(from, dim, partitions),
                                target = in_run_steps(to, dim, partitions);
  if (!source || !target) return false;
  const Matrix read = matrix_of(source->value, source->rows),
               write = matrix_of(target->value, target->rows);
  const std::int64_t count = from.dims[dim].size, width = source->width;
  const auto run = [&](std::span<const Window> of) {
    for (const Window& window : of) {
      const isa::Tile data = emitter.sbuf(from.dtype, window.rows, window.columns);
      load(emitter, read, window, data);
      const TileMath all(emitter, window.rows, window.columns), one(emitter, window.rows, width);
      const isa::Tile sums = all.fresh(isa::DType::float32);
      const auto step = [&](const isa::Tile& tile, std::int64_t i) {
        return part(tile, 0, window.rows, i * width, width);
      };
      one.copy(step(sums, 0), step(data, 0));
      for (std::int64_t i = 1; i < count; ++i)
        one.tensor(step(sums, i), step(sums, i - 1), op, step(data, i));
      store(emitter, to.dtype == isa::DType::float32 ? sums : all.copy(all.fresh(to.dtype), sums),
            write, window);
    }
  };
  const std::vector<Window> all =
      windows(from.elements() / (count * width), count * width, partitions, count * width);
  const std::int64_t bytes = to.elements() * numerics::size_in_bytes(to.dtype);
  if (emitter.cores() < 2 || all.size() < 2 || bytes < divided_bytes_min) {
    run(all);
    return true;
  }
  emitter.in_halves([&](std::uint8_t half) {
    const std::size_t middle = (all.size() + 1) / 2;
    const std::span<const Window> each(all);
    run(half == 0 ? each.first(middle) : each.subspan(middle));
  });
  return true;
}

}  // namespace

bool runs(AluOp op) {
  return op == AluOp::add || op == AluOp::multiply || op == AluOp::maximum || op == AluOp::minimum;
}

void run_along(Emitter& emitter, AluOp op, const Strided& from, const Strided& to,
               std::size_t dim) {
  if (run_in_steps(emitter, op, from, to, dim) || run_in_pieces(emitter, op, from, to, dim)) return;
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
