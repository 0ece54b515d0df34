#include "compiler/lowering/rows/row_passes.h"

#include <algorithm>
#include <limits>

#include "base/units.h"
#include "compiler/lowering/reductions/reduction.h"
#include "compiler/lowering/rows/row_engines.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "isa/instructions/activate2.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/bn_aggr.h"
#include "isa/instructions/bn_stats.h"
#include "isa/instructions/exponential.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/reciprocal.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_scalar_reduce.h"
#include "isa/instructions/tensor_tensor.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Engine;
using isa::ReduceCmd;
using isa::Scalar;
using isa::Tile;
using numerics::ActivationFunction;
using numerics::AluOp;
using Kind = RowStep::Kind;

}  // namespace

TileMath RowBand::math(RowValueId value) const {
  return {emitter_, rows_, width(plan_.values[value].is_full)};
}

Tile RowBand::fresh(RowValueId value) {
  if (row_.value_or(0) == 0) {
    const RowValue& made = plan_.values[value];
    const std::int64_t elements = made.is_full ? columns_ : plan_.stacked;
    tiles_[value].own = TileMath(emitter_, rows_, elements).fresh(made.dtype);
  }
  return tile(value);
}

void RowBand::set(RowValueId value, const Tile& tile) { tiles_[value].own = tile; }

Tile RowBand::column(RowValueId value) {
  Tiles& tiles = tiles_[value];
  if (!tiles.wide) {
    tiles.wide = *tiles.own;
    if (tiles.own->dtype != DType::float32) {
      tiles.wide = emitter_.sbuf(DType::float32, rows_, plan_.stacked);
      emitter_.emit(isa::TensorCopy{.dst = *tiles.wide, .src = *tiles.own}, plan_.casts);
    }
  }
  return of_row(*tiles.wide, false);
}

Tile RowBand::along_rows(const Tile& numbers) const {
  if (width(false) == 1) return repeated(numbers, width(true));
  Tile result = numbers;
  result.rank = 2;
  result.dims[1] = {0, static_cast<std::int32_t>(columns_ / plan_.stacked)};
  return result;
}

Tile RowBand::spread(RowValueId value, RowValueId like) {
  const bool repeats = !plan_.values[value].is_full && plan_.values[like].is_full;
  return repeats ? along_rows(tile(value)) : tile(value);
}

Scalar RowBand::scalar(const RowOperand& operand) {
  if (operand.number) return {.constant = *operand.number};
  return {.tile = column(operand.value)};
}

Scalar RowBand::negated(const RowOperand& operand) {
  if (operand.number) return {.constant = -*operand.number};
  const TileMath one(emitter_, rows_, 1);
  return {.tile =
              one.scalar(one.fresh(DType::float32), column(operand.value), AluOp::multiply, -1)};
}

void RowBand::emit(const RowStep& step) {
  emitter_.at(step.op->location);
  if (!step.is_apart) return emit_once(step);
  for (row_ = 0; *row_ < plan_.stacked; ++*row_) emit_once(step);
  row_.reset();
}

void RowBand::emit_once(const RowStep& step) {
  switch (step.kind) {
    case Kind::operators:
    case Kind::activate: {
      const Tile data = spread(step.data, step.result), dst = fresh(step.result);
      if (step.sum && step.parts.size() > 1) return activate_in_parts(step, dst, data);
      return for_each_part(step, [&](Engine engine, auto&& of) {
        step.kind == Kind::operators ? operators(step, engine, of(dst), of(data))
                                     : activate(step, engine, of(dst), of(data));
      });
    }
    case Kind::reduce: return reduce(step);
    case Kind::moments: return moments(step);
    case Kind::column_sum: {
      const Tile weights = step.operators.empty() ? Tile{} : tile(step.operators[0].operand.value);
      return column_sums_.add(step.index, tile(step.data), piece_.column, weights);
    }
    case Kind::across: {
      const Tile sums = matrices_.shares.sum(tile(step.data), step.shares);
      emitter_.emit(isa::TensorCopy{.dst = fresh(step.result), .src = sums}, Engine::vector);
      return;
    }
    case Kind::blend: return blend(step);
    case Kind::rescale: return rescale(step);
    case Kind::other: return other(step);
    case Kind::reciprocal: {
      const Tile data = plan_.values[step.result].is_full ? tile(step.data) : column(step.data);
      const Tile dst = fresh(step.result);
      return for_each_part(step, [&](Engine engine, auto&& of) {
        if (engine == Engine::vector) {
          emitter_.emit(isa::Reciprocal{.dst = of(dst), .data = of(data)});
        } else {
          isa::TensorScalar made;
          made.dst = of(dst);
          made.data = of(data);
          made.op0 = AluOp::reciprocal;
          emitter_.emit(made, engine);
        }
      });
    }
    case Kind::combine: {
      const Tile a = spread(step.data, step.result), b = spread(step.second, step.result);
      const Tile dst = fresh(step.result);
      return for_each_part(step, [&](Engine engine, auto&& of) {
        emitter_.emit(
            isa::TensorTensor{.dst = of(dst), .data1 = of(a), .data2 = of(b), .op = step.how},
            engine);
      });
    }
  }
}

void RowBand::emit(const RowStep& step, const Tile& sums, std::int64_t column) {
  emitter_.at(step.op->location);
  if (!tiles_[step.result].own) (void)fresh(step.result);
  const Tile dst = part(tile(step.result), 0, rows_, column, sums.free_elements());
  const Engine engine = step.parts.front().engine;
  step.kind == Kind::operators ? operators(step, engine, dst, sums)
                               : activate(step, engine, dst, sums);
}

template <typename F>
void RowBand::for_each_part(const RowStep& step, F&& f) const {
  if (!step.is_divisible)
    return f(step.parts.front().engine, [](const Tile& tile) { return tile; });
  const int slices = step.stage + 1 == plan_.stages && !step.sum ? slices_ : 1;
  std::int64_t begin = 0;
  for (int slice = 0; slice < slices; ++slice) {
    for (const RowPart& each : step.parts) {
      const std::int64_t columns = std::min(each.columns / slices, columns_ - begin);
      if (columns <= 0) return;  // the last piece is narrower
      f(each.engine, [&](const Tile& tile) {
        return columns == columns_ ? tile : part(tile, 0, rows_, begin, columns);
      });
      begin += columns;
    }
  }
}

void RowBand::operators(const RowStep& step, Engine engine, const Tile& dst, const Tile& data) {
  const bool copies = engine != Engine::scalar || emitter_.core().features.scalar_copy;
  if (step.operators.empty() && copies) {
    emitter_.emit(isa::TensorCopy{.dst = dst, .src = data}, engine);
    return;
  }
  if (engine == Engine::scalar && !emitter_.core().features.scalar_tensor_ops)
    return activate(step, engine, dst, data);
  isa::TensorScalar made;
  made.data = data;
  const RowOperator& first = step.operators[0];
  made.op0 = first.op;
  made.operand0 = scalar(first.operand);
  made.reverse0 = first.reverse;
  if (step.operators.size() > 1) {
    const RowOperator& second = step.operators[1];
    made.op1 = second.op;
    made.operand1 = scalar(second.operand);
    made.reverse1 = second.reverse;
  }
  made.dst = dst;
  emitter_.emit(made, engine);
}

void RowBand::activate(const RowStep& step, Engine engine, const Tile& dst, const Tile& data) {
  const bool sums = step.sum && is_reduced_here(step);
  activate(step, engine, dst, data, sums ? reduced(*step.sum, DType::float32) : Tile{});
}

void RowBand::activate_in_parts(const RowStep& step, const Tile& dst, const Tile& data) {
  const auto parts = static_cast<std::int64_t>(step.parts.size());
  const Tile sums = emitter_.sbuf(DType::float32, rows_, parts);
  std::int64_t at = 0;
  for_each_part(step, [&](Engine engine, auto&& of) {
    activate(step, engine, of(dst), of(data), part(sums, 0, rows_, at++, 1));
  });
  reduce(fresh(*step.sum), AluOp::add, sums);
}

void RowBand::activate(const RowStep& step, Engine engine, const Tile& dst, const Tile& data,
                       const Tile& sum) {
  const bool sums = static_cast<bool>(sum);
  if (engine == Engine::vector && step.function == ActivationFunction::square) {
    isa::TensorScalarReduce made;
    made.dst = dst;
    made.data = data;
    made.op0 = AluOp::square;
    made.operand0 = {.constant = 0};
    made.reduce_res = sum;
    emitter_.emit(made);
    return;
  }
  const AluOp reduces = sums ? AluOp::add : AluOp::bypass;
  const ReduceCmd command = sums ? ReduceCmd::reset_reduce : ReduceCmd::idle;
  if (engine == Engine::vector) {
    isa::Exponential made;
    made.src = data;
    made.reduce_res = sum;
    made.reduce_cmd = command;
    if (!step.operators.empty()) {
      const RowOperator& shift = step.operators[0];
      made.max_value = step.is_local                 ? Scalar{.tile = local_maximum(step)}
                       : shift.op == AluOp::subtract ? scalar(shift.operand)
                                                     : negated(shift.operand);
    }
    made.dst = dst;
    emitter_.emit(made);
    return;
  }
  if (engine == Engine::gpsimd) {
    isa::TensorScalar root;
    root.dst = dst;
    root.data = data;
    root.op0 = AluOp::rsqrt;
    return (void)emitter_.emit(root, Engine::gpsimd);
  }
  isa::Activation made;
  made.op = step.kind == Kind::activate ? step.function : ActivationFunction::copy;
  made.data = data;
  made.reduce_op = reduces;
  made.reduce_res = sum;
  made.reduce_cmd = command;
  if (step.is_local) {
    const TileMath one(emitter_, rows_, 1);
    made.bias = {
        .tile = one.scalar(one.fresh(DType::float32), local_maximum(step), AluOp::multiply, -1)};
    made.dst = dst;
    emitter_.emit(made);
    return;
  }
  const auto before = scale_and_shift(step.operators);
  for (const RowOperator& each : before.value()) {
    if (each.op == AluOp::multiply) {
      made.scale = scalar(each.operand);
    } else {
      made.bias = each.op == AluOp::add ? scalar(each.operand) : negated(each.operand);
    }
  }
  const bool needs_tile = !emitter_.core().features.activation_number_bias &&
                          !made.bias.is_tile() && made.bias.constant != 0;
  if (needs_tile)
    made.bias = {.tile = TileMath(emitter_, rows_, 1).filled(DType::float32, made.bias.constant)};
  made.dst = dst;
  emitter_.emit(made);
}

void RowBand::reduce(const RowStep& step) {
  const Tile data = tile(step.data);
  if (step.parts.front().engine == Engine::scalar) {
    const Tile unread = math(step.data).fresh(DType::bfloat16);
    emitter_.emit(isa::Activation{.dst = unread,
                                  .op = ActivationFunction::copy,
                                  .data = data,
                                  .bias = {},
                                  .reduce_op = AluOp::add,
                                  .reduce_res = reduced(step.result, DType::float32),
                                  .reduce_cmd = ReduceCmd::reset_reduce});
    return;
  }
  const bool adds = step.how == AluOp::add;
  const Tile dst = reduced(step.result, adds ? DType::float32 : plan_.values[step.result].dtype);
  if (width(false) == 1) return reduce(dst, step.how, data);
  const auto [rows, dims] = in_groups(emitter_, data, plan_.stacked);
  isa::IntList axis;
  for (int i = rows.rank - dims; i < rows.rank; ++i) axis.push_back(i + 1);
  emitter_.emit(isa::TensorReduce{.dst = dst, .op = step.how, .data = rows, .axis = axis});
}

void RowBand::reduce(const Tile& dst, AluOp how, const Tile& data) {
  isa::IntList axis;
  for (int i = 1; i <= data.rank; ++i) axis.push_back(i);
  emitter_.emit(isa::TensorReduce{.dst = dst, .op = how, .data = data, .axis = axis});
}

void RowBand::moments(const RowStep& step) {
  const Tile data = tile(step.data);
  const std::int64_t most = emitter_.core().access.bn_stats_elements_max;
  const std::int64_t all = width(true), parts = base::ceil_div(all, most);
  const std::int64_t width = piece_.number == 0 ? all : piece_.column / piece_.number;
  const Tile statistics =
      plan_.is_swept()
          ? part(piece_of(step.result, DType::float32, 6 * base::ceil_div(width, most)), 0, rows_,
                 0, 6 * parts)
          : emitter_.sbuf(DType::float32, rows_, 6 * parts);
  for (std::int64_t i = 0; i < parts; ++i) {
    const std::int64_t columns = std::min(most, all - i * most);
    emitter_.emit(isa::BnStats{.dst = part(statistics, 0, rows_, 6 * i, 6),
                               .data = part(data, 0, rows_, i * most, columns)});
  }
  if (!plan_.is_swept()) moments_of(step, statistics, all);
}

void RowBand::moments_of(const RowStep& step, const Tile& statistics, std::int64_t columns) {
  const Tile both = emitter_.sbuf(DType::float32, rows_, 2);
  emitter_.emit(isa::BnAggr{.dst = both, .data = statistics});
  const TileMath one(emitter_, rows_, 1);
  const auto count = static_cast<double>(columns);
  one.scalar(fresh(step.result), part(both, 0, rows_, 0, 1), AluOp::multiply, count);
  one.scalar(fresh(*step.sum), part(both, 0, rows_, 1, 1), AluOp::multiply, count);
}

void RowBand::rescale(const RowStep& step) {
  const Tile sums = *tiles_[step.data].pieces, maxima = *tiles_[step.data].maxima;
  const TileMath all(emitter_, rows_, sums.free_elements());
  const Tile factors = all.fresh(DType::float32);
  isa::Activation made;
  made.op = ActivationFunction::exp;
  made.data = maxima;
  made.bias = negated(step.operators[0].operand);
  made.dst = factors;
  emitter_.emit(made);
  all.tensor(factors, factors, AluOp::multiply, sums);
  reduce(fresh(step.result), AluOp::add, factors);
}

void RowBand::finish(const RowSweep& sweep, std::int64_t columns) {
  for (const std::size_t i : sweep.steps) {
    const RowStep& step = plan_.steps[i];
    if (!is_reduced_here(step)) continue;
    emitter_.at(step.op->location);
    if (step.kind == Kind::reduce) {
      reduce(fresh(step.result), step.how, *tiles_[step.result].pieces);
    } else if (step.kind == Kind::moments) {
      const Tile all = *tiles_[step.result].pieces;
      const std::int64_t parts =
          base::ceil_div(columns_, emitter_.core().access.bn_stats_elements_max);
      const std::int64_t before = all.free_elements() / piece_.of * piece_.number;
      moments_of(step, part(all, 0, rows_, 0, before + 6 * parts), columns);
    } else if (step.sum && !step.is_local) {
      reduce(fresh(*step.sum), AluOp::add, *tiles_[*step.sum].pieces);
    }
  }
}

Tile RowBand::reduced(RowValueId value, DType dtype) {
  return plan_.is_swept() ? piece_of(value, dtype, 1) : fresh(value);
}

Tile RowBand::piece_of(RowValueId value, DType dtype, std::int64_t elements) {
  std::optional<Tile>& all = tiles_[value].pieces;
  if (piece_.number == 0) all = emitter_.sbuf(dtype, rows_, piece_.of * elements);
  return part(*all, 0, rows_, piece_.number * elements, elements);
}

// Finite: a piece of infinities has the sum that their own maximum would have made undefined.
Tile RowBand::local_maximum(const RowStep& step) {
  constexpr double most = std::numeric_limits<float>::max();
  std::optional<Tile>& all = tiles_[*step.sum].maxima;
  if (piece_.number == 0) all = emitter_.sbuf(DType::float32, rows_, piece_.of);
  const Tile own = part(*tiles_[step.second].pieces, 0, rows_, piece_.number, 1);
  return TileMath(emitter_, rows_, 1)
      .scalar2(part(*all, 0, rows_, piece_.number, 1), own, AluOp::maximum, -most, AluOp::minimum,
               most);
}

void RowBand::blend(const RowStep& step) {
  const Tile first = tile(step.data), second = tile(step.second), dst = fresh(step.result);
  const auto [near, rest] = matrices_.diagonals.of(column(step.operands[0].value));
  const Tile ones = part(matrices_.diagonals.identity(), 0, rows_, 0, rows_);
  const std::int64_t all = dst.free_elements(), width = blend_columns(emitter_.core());
  for (std::int64_t begin = 0; begin < all; begin += width) {
    const std::int64_t columns = std::min(width, all - begin);
    const Tile sums = emitter_.psum(DType::float32, rows_, columns);
    const auto add = [&](const Tile& matrix, const Tile& value, isa::Accumulate how) {
      isa::NcMatmul made;
      made.dst = sums;
      made.stationary = matrix;
      made.moving = part(value, 0, rows_, begin, columns);
      made.accumulate = how;
      emitter_.emit(made);
    };
    add(ones, first, isa::Accumulate::overwrite);
    add(near, second, isa::Accumulate::add);
    add(rest, second, isa::Accumulate::add);
    operators(step, step.parts.front().engine, part(dst, 0, rows_, begin, columns), sums);
  }
}

void RowBand::other(const RowStep& step) {
  const bool is_full = plan_.values[step.result].is_full;
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < step.operands.size(); ++i) {
    const RowOperand& each = step.operands[i];
    if (each.number) {
      operands.push_back({.number = each.number});
      continue;
    }
    const bool is_wide =
        !plan_.values[each.value].is_full && *storage_of(step.types[i].element) == DType::float32;
    const Tile own = is_wide ? column(each.value) : tile(each.value);
    const bool repeats = is_full && !plan_.values[each.value].is_full;
    operands.push_back({.tile = repeats ? along_rows(own) : own});
  }
  tiles_[step.result].own =
      emit_elementwise(emitter_, *step.op, step.types, operands, rows_, width(is_full));
}

}  // namespace trainyard::compiler
