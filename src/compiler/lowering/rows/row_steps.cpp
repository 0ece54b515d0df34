#include "compiler/lowering/rows/row_steps.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/clusters/row_membership.h"
#include "compiler/lowering/reductions/reduction.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/reductions.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using isa::DType;
using numerics::ActivationFunction;
using numerics::AluOp;
using Kind = RowStep::Kind;

bool is_real(ElementType type) {
  return graph::is_float(type) && storage_of(type) && graph::bits(type) <= 32;
}

std::optional<AluOp> operator_of(OpKind kind) {
  switch (kind) {
    case OpKind::add: return AluOp::add;
    case OpKind::subtract: return AluOp::subtract;
    case OpKind::multiply: return AluOp::multiply;
    case OpKind::maximum: return AluOp::maximum;
    case OpKind::minimum: return AluOp::minimum;
    default: return std::nullopt;
  }
}

std::optional<ActivationFunction> function_of(OpKind kind) {
  switch (kind) {
    case OpKind::abs: return ActivationFunction::abs;
    case OpKind::exponential: return ActivationFunction::exp;
    case OpKind::log: return ActivationFunction::log;
    case OpKind::logistic: return ActivationFunction::sigmoid;
    case OpKind::rsqrt: return ActivationFunction::rsqrt;
    case OpKind::sqrt: return ActivationFunction::sqrt;
    case OpKind::tanh: return ActivationFunction::tanh;
    default: return std::nullopt;
  }
}

class Steps {
 public:
  // `shares`: in how many partitions a row lies.
  Steps(const graph::Function& function, const Op& cluster,
        const std::function<RowInput(ValueId)>& input, std::int64_t shares)
      : function_(function), cluster_(cluster), space_(row_space_of(cluster)), input_(input) {
    plan_.shares = shares;
  }

  [[nodiscard]] std::optional<RowPlan> run() {
    for (const Op& op : cluster_.regions.at(0).ops) {
      at_ = &op;
      if (op.kind == OpKind::return_) break;
      const std::optional<RowOperand> result = lower(op);
      if (!result) return std::nullopt;
      names_[op.results[0]] = *result;
    }
    for (const ValueId value : cluster_.results) {
      if (!give(value)) return std::nullopt;
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] RowValue& value(const RowOperand& operand) { return plan_.values[operand.value]; }
  [[nodiscard]] bool is_full(const RowOperand& operand) {
    return !operand.number && value(operand).is_full;
  }

  [[nodiscard]] RowOperand operand(ValueId id) {
    if (const auto found = names_.find(id); found != names_.end()) return found->second;
    const RowInput input = input_(id);
    RowOperand made{.number = input.number};
    if (!input.number) {
      made.value = add({.is_full = input.is_full,
                        .dtype = input.dtype,
                        .input = input.node,
                        .is_alike = input.is_alike});
    }
    if (input.is_product) made = taken(made);
    names_[id] = made;
    return made;
  }

  // A product's sums are rounded to its type on their way from PSUM.
  [[nodiscard]] RowOperand taken(const RowOperand& product) {
    const DType dtype = value(product).dtype;
    value(product).dtype = DType::float32;
    value(product).is_product = true;
    RowStep step{.kind = Kind::operators, .data = product.value};
    step.is_early = true;
    const RowOperand made = emit(std::move(step), true, dtype);
    value(made).is_early = true;
    return made;
  }

  [[nodiscard]] RowValueId add(RowValue value) {
    plan_.values.push_back(value);
    return static_cast<RowValueId>(plan_.values.size() - 1);
  }
  // The result of a step, of the type of the operation at hand.
  RowOperand emit(RowStep step, bool is_full) {
    return emit(std::move(step), is_full, *storage_of(type(at_->results[0]).element));
  }
  RowOperand emit(RowStep step, bool is_full, DType dtype) {
    for (const RowStep& earlier : plan_.steps) {
      const RowValue& made = plan_.values[earlier.result];
      if (is_same(earlier, step) && made.is_full == is_full && made.dtype == dtype)
        return {.value = earlier.result};
    }
    return emit_again(std::move(step), is_full, dtype);
  }
  // Whether both compute the same.
  [[nodiscard]] bool is_same(const RowStep& a, const RowStep& b) const {
    if (a.kind != b.kind || a.is_early || b.is_early || a.kind == Kind::column_sum) return false;
    if (a.kind == Kind::other)
      return a.op->kind == at_->kind && a.op->attributes == at_->attributes &&
             a.operands == b.operands && a.types == b.types;
    return a.data == b.data && a.second == b.second && a.how == b.how && a.function == b.function &&
           a.operators == b.operators;
  }
  // The same though an earlier step may have computed it.
  RowOperand emit_again(RowStep step, bool is_full, DType dtype) {
    step.op = at_;
    step.result = add({.is_full = is_full, .dtype = dtype});
    const RowValueId result = step.result;
    plan_.steps.push_back(std::move(step));
    return {.value = result};
  }

  [[nodiscard]] std::optional<RowOperand> lower(const Op& op) {
    if (op.kind == OpKind::broadcast_in_dim || op.kind == OpKind::reshape)
      return operand(op.operands[0]);
    const bool all_real =
        is_real(type(op.results[0]).element) &&
        std::ranges::all_of(op.operands, [&](ValueId each) { return is_real(type(each).element); });
    if (op.kind == OpKind::reduce) return reduce(op);
    if (!all_real) return other(op);
    if (op.kind == OpKind::convert) return convert(op);
    if (op.kind == OpKind::divide) return divide(op);
    if (op.kind == OpKind::negate) return scaled(operand(op.operands[0]), -1);
    if (const auto how = operator_of(op.kind)) return binary(op, *how);
    if (const auto function = function_of(op.kind))
      return activate(*function, operand(op.operands[0]));
    return other(op);
  }

  [[nodiscard]] std::optional<RowOperand> scaled(const RowOperand& data, double number) {
    if (data.number) return RowOperand{.number = static_cast<float>(*data.number * number)};
    return emit({.kind = Kind::operators,
                 .data = data.value,
                 .operators = {{AluOp::multiply, {.number = number}}}},
                is_full(data));
  }

  [[nodiscard]] std::optional<RowOperand> activate(ActivationFunction function,
                                                   const RowOperand& data) {
    if (data.number) return std::nullopt;
    return emit({.kind = Kind::activate, .data = data.value, .function = function}, is_full(data));
  }

  [[nodiscard]] std::optional<RowOperand> binary(const Op& op, AluOp how) {
    const RowOperand a = operand(op.operands[0]), b = operand(op.operands[1]);
    return binary(a, how, b);
  }
  [[nodiscard]] std::optional<RowOperand> binary(const RowOperand& a, AluOp how,
                                                 const RowOperand& b) {
    if (a.number && b.number) return std::nullopt;
    if (!a.number && !b.number && a.value == b.value && how == AluOp::multiply)
      return activate(ActivationFunction::square, a);
    if (!a.number && !b.number && is_full(a) == is_full(b)) {
      return emit({.kind = Kind::combine, .data = a.value, .second = b.value, .how = how},
                  is_full(a));
    }
    const bool reverse = a.number || is_full(b);
    const RowOperand &data = reverse ? b : a, &scalar = reverse ? a : b;
    const bool chooses = how == AluOp::maximum || how == AluOp::minimum;
    if (chooses && scalar.number && scalar.number == identity_of(how)) return data;
    return emit({.kind = Kind::operators,
                 .data = data.value,
                 .operators = {{how, scalar, reverse && how == AluOp::subtract}}},
                is_full(data));
  }

  [[nodiscard]] std::optional<RowOperand> divide(const Op& op) {
    const RowOperand a = operand(op.operands[0]), b = operand(op.operands[1]);
    if (b.number) return scaled(a, static_cast<float>(1 / *b.number));
    const auto [known, is_new] = inverses_.try_emplace(b.value);
    if (is_new)
      known->second = emit({.kind = Kind::reciprocal, .data = b.value}, is_full(b), DType::float32);
    if (a.number && *a.number == 1 && *storage_of(type(op.results[0]).element) == DType::float32)
      return known->second;
    return binary(a, AluOp::multiply, known->second);
  }

  [[nodiscard]] std::optional<RowOperand> convert(const Op& op) {
    const RowOperand data = operand(op.operands[0]);
    if (data.number) return std::nullopt;
    // Instructions compute in float32 whatever they read.
    if (type(op.results[0]).element == ElementType::f32) return data;
    return emit({.kind = Kind::operators, .data = data.value}, is_full(data));
  }

  [[nodiscard]] std::optional<RowOperand> reduce(const Op& op) {
    const std::optional<RowOperand> data = widened(operand(op.operands[0]));
    const RowOperand initial = operand(op.operands[1]);
    const auto how = reduction_of(op.regions.at(0), type(op.results[0]).element);
    if (!data || !initial.number || !how) return std::nullopt;
    if (goes_down(op, space_)) return column_sum(*data, initial);
    // One of the elements, which their own format holds.
    const bool chooses = *how == AluOp::maximum || *how == AluOp::minimum;
    const bool begins = *initial.number != identity_of(*how);
    const DType own = *storage_of(type(op.results[0]).element);
    const DType dtype = chooses ? value(*data).dtype : begins ? DType::float32 : own;
    RowOperand result =
        emit({.kind = Kind::reduce, .data = data->value, .how = *how}, false, dtype);
    const bool of_row = type(op.results[0]).elements() == space_.rows();
    const std::int64_t shares = of_row ? plan_.shares : plan_.shares / space_.shares();
    if (shares > 1) {
      if (*how != AluOp::add) return std::nullopt;
      value(result).dtype = DType::float32;
      RowStep step{.kind = Kind::across, .data = result.value};
      step.shares = shares;
      result = emit(std::move(step), false, dtype);
    }
    return begins ? binary(result, *how, initial) : result;
  }

  [[nodiscard]] std::optional<RowOperand> column_sum(const RowOperand& data,
                                                     const RowOperand& initial) {
    if (*initial.number != 0) return std::nullopt;
    RowOperand made = data;
    // What the tensor engine multiplies with ones.
    const DType dtype = value(data).dtype;
    if (dtype != DType::bfloat16 && dtype != DType::float16 && dtype != DType::float32)
      made = emit({.kind = Kind::operators, .data = data.value}, true, DType::float32);
    RowStep step{.kind = Kind::column_sum, .data = made.value};
    step.index = plan_.column_sums++;
    made = emit(std::move(step), false);
    value(made).is_column_sum = true;
    return made;
  }

  // On all elements of a row.
  [[nodiscard]] std::optional<RowOperand> widened(const RowOperand& data) {
    if (data.number) return std::nullopt;
    if (is_full(data)) return data;
    return emit({.kind = Kind::operators, .data = data.value}, true, value(data).dtype);
  }

  [[nodiscard]] std::optional<RowOperand> other(const Op& op) {
    RowStep step;
    bool full = false;
    for (const ValueId id : op.operands) {
      RowOperand each = operand(id);
      const DType dtype = *storage_of(type(id).element);
      if (is_full(each) && value(each).dtype != dtype)
        each = emit({.kind = Kind::operators, .data = each.value}, true, dtype);
      full |= is_full(each);
      step.operands.push_back(each);
      step.types.push_back(type(id));
    }
    step.types.push_back(type(op.results[0]));
    const bool all_numbers = std::ranges::all_of(
        step.operands, [](const RowOperand& each) { return each.number.has_value(); });
    if (all_numbers) return std::nullopt;
    return emit(std::move(step), full);
  }

  // Makes a value a result, in its own format and shape.
  [[nodiscard]] bool give(ValueId id) {
    RowOperand made = names_.at(id);
    if (made.number) return false;
    const DType dtype = *storage_of(type(id).element);
    if (value(made).is_column_sum) {
      value(made).result = id;
      return true;
    }
    const bool full = type(id).shape == space_.shape;
    const RowValue& held = value(made);
    if (held.is_full != full || held.dtype != dtype || held.input || held.result)
      made = emit_again({.kind = Kind::operators, .data = made.value}, full, dtype);
    value(made).result = id;
    return true;
  }

  const graph::Function& function_;
  const Op& cluster_;
  RowSpace space_;
  const std::function<RowInput(ValueId)>& input_;
  const Op* at_ = nullptr;
  RowPlan plan_;
  std::map<ValueId, RowOperand> names_;
  std::map<RowValueId, RowOperand> inverses_;
};

}  // namespace

std::optional<RowPlan> steps_of_rows(const graph::Function& function, const Op& cluster,
                                     const std::function<RowInput(ValueId)>& input,
                                     std::int64_t shares) {
  return Steps(function, cluster, input, shares).run();
}

}  // namespace trainyard::compiler
