#include "compiler/lowering/rows/row_blends.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "compiler/lowering/rows/row_joins.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/tensor_scalar.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::AluOp;
using Kind = RowStep::Kind;

class Blender {
 public:
  explicit Blender(const RowPlan& plan) : plan_(plan) {}

  [[nodiscard]] std::optional<RowPlan> run() {
    bool any = false;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) any |= blend(i);
    if (!any) return std::nullopt;
    count_uses(plan_);
    return std::move(plan_);
  }

 private:
  // value * factor * scale, or (value - shift) * scale.
  struct Term {
    std::size_t step = 0;
    RowValueId value = 0;
    double factor = 1;
    std::optional<RowOperand> shift{};
    RowValueId scale = 0;
  };

  [[nodiscard]] std::optional<std::size_t> maker(RowValueId id) const {
    const auto found = std::ranges::find(plan_.steps, id, &RowStep::result);
    if (found == plan_.steps.end()) return std::nullopt;
    return static_cast<std::size_t>(found - plan_.steps.begin());
  }

  [[nodiscard]] std::optional<Term> term(RowValueId id) const {
    const RowValue& value = plan_.values[id];
    const auto at = maker(id);
    if (!at || value.uses != 1 || value.result || value.dtype != DType::float32)
      return std::nullopt;
    RowStep step = plan_.steps[*at];
    if (step.operators.size() == 1) take_shift(step);
    const RowValue& data = plan_.values[step.data];
    if (step.kind != Kind::operators || step.operators.empty() || step.is_early || !data.is_full ||
        data.dtype != DType::bfloat16 || data.is_product)
      return std::nullopt;
    const RowOperator& last = step.operators.back();
    if (last.op != AluOp::multiply || last.operand.number) return std::nullopt;
    Term term{.step = *at, .value = step.data, .scale = last.operand.value};
    if (step.operators.size() == 2) {
      const RowOperator& first = step.operators.front();
      if (first.op == AluOp::multiply && first.operand.number) {
        term.factor = *first.operand.number;
        return term;
      }
      if (first.op != AluOp::subtract || first.reverse || first.operand.number) return std::nullopt;
      term.shift = first.operand;
    }
    return term;
  }
  // What is shifted first is read as it was before.
  void take_shift(RowStep& step) const {
    const auto at = maker(step.data);
    if (!at || plan_.values[step.data].dtype != DType::float32) return;
    const RowStep& before = plan_.steps[*at];
    if (before.kind != Kind::operators || before.operators.size() != 1) return;
    step.operators.insert(step.operators.begin(), before.operators[0]);
    step.data = before.data;
  }
  // What alone reads a sum, and adds one number a row to it.
  [[nodiscard]] std::optional<std::size_t> shift_behind(const RowStep& sum) const {
    const RowValue& value = plan_.values[sum.result];
    if (value.uses != 1 || value.result || value.dtype != DType::float32) return std::nullopt;
    const auto found = std::ranges::find_if(plan_.steps, [&](const RowStep& step) {
      return step.kind == Kind::operators && step.data == sum.result && step.operators.size() == 1;
    });
    if (found == plan_.steps.end()) return std::nullopt;
    const RowOperator& by = found->operators[0];
    const bool shifts = (by.op == AluOp::add || by.op == AluOp::subtract) && !by.reverse;
    if (!shifts || by.operand.number) return std::nullopt;
    return static_cast<std::size_t>(found - plan_.steps.begin());
  }
  // Whether no number of the value is 0.
  [[nodiscard]] bool is_root(RowValueId id) const {
    const auto at = maker(id);
    if (!at) return false;
    const RowStep& step = plan_.steps[*at];
    return step.kind == Kind::reciprocal ||
           (step.kind == Kind::activate && step.function == numerics::ActivationFunction::rsqrt);
  }

  [[nodiscard]] RowValueId number(std::vector<RowStep>& made, RowStep step) {
    plan_.values.push_back({.dtype = DType::float32});
    step.result = static_cast<RowValueId>(plan_.values.size() - 1);
    made.push_back(std::move(step));
    return made.back().result;
  }
  [[nodiscard]] RowValueId pair(std::vector<RowStep>& made, const graph::Op* op, RowValueId a,
                                AluOp how, RowValueId b) {
    return number(made, {.kind = Kind::combine, .op = op, .data = a, .second = b, .how = how});
  }

  bool blend(std::size_t i) {
    const RowStep sum = plan_.steps[i];
    const RowValue& result = plan_.values[sum.result];
    if (sum.kind != Kind::combine || sum.how != AluOp::add || !result.is_full ||
        sum.data == sum.second)
      return false;
    std::optional<Term> first = term(sum.data), second = term(sum.second);
    if (!first || !second) return false;
    if (!is_root(first->scale)) std::swap(first, second);
    if (!is_root(first->scale) || first->factor != 1) return false;
    std::vector<RowStep> made;
    const RowValueId inverse =
        number(made, {.kind = Kind::reciprocal, .op = sum.op, .data = first->scale});
    RowValueId ratio = pair(made, sum.op, second->scale, AluOp::multiply, inverse);
    if (second->factor != 1)
      ratio = number(made, {.kind = Kind::operators,
                            .op = sum.op,
                            .data = ratio,
                            .operators = {{AluOp::multiply, {.number = second->factor}, false}}});
    std::optional<RowOperand> shift = first->shift;
    if (second->shift) {
      RowValueId other = pair(made, sum.op, second->shift->value, AluOp::multiply, ratio);
      if (shift) other = pair(made, sum.op, shift->value, AluOp::add, other);
      shift = RowOperand{.value = other};
    }
    const auto last = shift_behind(sum);
    const std::size_t end = last.value_or(i);
    if (last) {
      const RowOperator by = plan_.steps[*last].operators[0];
      RowValueId other = pair(made, sum.op, by.operand.value, AluOp::multiply, inverse);
      if (by.op == AluOp::add)
        other = number(made, {.kind = Kind::operators,
                              .op = sum.op,
                              .data = other,
                              .operators = {{AluOp::multiply, {.number = -1}, false}}});
      if (shift) other = pair(made, sum.op, shift->value, AluOp::add, other);
      shift = RowOperand{.value = other};
    }
    RowStep step{.kind = Kind::blend, .op = sum.op, .result = plan_.steps[end].result};
    step.data = first->value;
    step.second = second->value;
    step.operands = {{.value = ratio}};
    if (shift) step.operators.push_back({AluOp::subtract, *shift, false});
    step.operators.push_back({AluOp::multiply, {.value = first->scale}, false});
    made.push_back(step);
    const std::array gone{first->step, second->step, i, end};
    std::vector<RowStep> steps;
    for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
      if (k == end) steps.insert(steps.end(), made.begin(), made.end());
      if (std::ranges::find(gone, k) == gone.end()) steps.push_back(plan_.steps[k]);
    }
    plan_.steps = std::move(steps);
    count_uses(plan_);
    return true;
  }

  RowPlan plan_;
};

}  // namespace

std::optional<RowPlan> with_blends(const RowPlan& plan) { return Blender(plan).run(); }

base::Ticks array_time(const RowPlan& plan, std::int64_t columns, const machine::Core& core) {
  constexpr std::int64_t products = 3, float32_passes = 4;
  std::int64_t cycles = 0;
  bool any = false;
  for (const RowStep& step : plan.steps) {
    const bool is_wide = plan.values[step.data].dtype == DType::float32;
    if (step.kind == Kind::blend) cycles += products * columns * step.times;
    if (step.kind == Kind::column_sum) cycles += (is_wide ? float32_passes : 1) * columns;
    any |= step.kind == Kind::blend;
  }
  return any ? core.engine(isa::Engine::tensor).clock(base::Cycles{cycles}) : base::Ticks{0};
}

const Tile& Diagonals::identity() {
  if (identity_) return identity_;
  constexpr std::uint16_t one = 0x3f80;  // in bfloat16
  const std::int64_t rows = emitter_.core().sbuf.partitions;
  std::vector<std::byte> content(static_cast<std::size_t>(rows * rows) * sizeof one);
  for (std::int64_t row = 0; row < rows; ++row)
    std::memcpy(content.data() + static_cast<std::size_t>(row * rows + row) * sizeof one, &one,
                sizeof one);
  const std::array<std::int64_t, 2> shape{rows, rows};
  const isa::TensorId table = emitter_.constant(DType::bfloat16, shape, std::move(content));
  identity_ = emitter_.sbuf(DType::bfloat16, rows, rows);
  const std::array<Extent, 2> dims{Extent{rows, rows}, Extent{rows, 1}};
  emitter_.emit(isa::DmaCopy{.dst = identity_, .src = hbm_tile(table, DType::bfloat16, 0, dims)});
  return identity_;
}

std::pair<Tile, Tile> Diagonals::of(const Tile& numbers) {
  const std::int64_t rows = numbers.partitions;
  const TileMath one(emitter_, rows, 1), all(emitter_, rows, rows);
  const Tile near = one.copy(one.fresh(DType::bfloat16), numbers);
  const Tile rest = one.tensor(one.fresh(DType::float32), numbers, AluOp::subtract, near);
  const Tile ones = part(identity(), 0, rows, 0, rows);
  const auto scaled = [&](const Tile& by) {
    const Tile made = all.fresh(DType::bfloat16);
    emitter_.emit(
        isa::TensorScalar{
            .dst = made, .data = ones, .op0 = AluOp::multiply, .operand0 = {.tile = by}},
        isa::Engine::vector);
    return made;
  };
  return {scaled(numbers), scaled(rest)};
}

}  // namespace trainyard::compiler
