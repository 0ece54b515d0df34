#include "compiler/lowering/rows/row_algebra.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "compiler/lowering/rows/row_affine.h"
#include "compiler/lowering/rows/row_joins.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using numerics::AluOp;
using Kind = RowStep::Kind;

// The step that makes a value, or null; of a plan that is const or not.
template <typename Plan>
auto* maker(Plan& plan, RowValueId id) {
  const auto found = std::ranges::find(plan.steps, id, &RowStep::result);
  return found == plan.steps.end() ? nullptr : std::to_address(found);
}

// Of all shares of a row.
bool is_across(const RowPlan& plan, const RowStep& step) {
  return step.kind == Kind::across && step.shares == plan.shares;
}

bool is_sum(const RowStep& step) { return step.kind == Kind::reduce && step.how == AluOp::add; }

// Whether it is one number for all shares of a row, as far as its steps tell.
bool is_of_row(const RowPlan& plan, const RowOperand& operand) {
  if (operand.number) return true;
  const RowStep* const step = maker(plan, operand.value);
  if (step == nullptr || plan.values[operand.value].is_full) return false;
  if (is_across(plan, *step)) return true;
  const bool is_arithmetic = step->kind == Kind::operators || step->kind == Kind::combine ||
                             step->kind == Kind::activate || step->kind == Kind::reciprocal;
  if (!is_arithmetic || step->sum) return false;
  bool all = true;
  for_each_operand(*step, [&](RowValueId id) { all = all && is_of_row(plan, {.value = id}); });
  return all;
}

// Whether it multiplies with one number, or with one a row.
bool scales(const RowPlan& plan, const RowStep& step) {
  return step.kind == Kind::operators && step.operators.size() == 1 &&
         step.operators[0].op == AluOp::multiply && !step.is_early &&
         plan.values[step.data].is_full == plan.values[step.result].is_full;
}

[[nodiscard]] bool is_read_once(const RowPlan& plan, const RowStep& step) {
  const RowValue& value = plan.values[step.result];
  return value.uses == 1 && !value.result;
}

// A sum of products with scaled values is the scaled sum of products, and does not wait for the
// number.
void scale_summed_products(RowPlan& plan) {
  count_uses(plan);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (!is_sum(plan.steps[i])) continue;
    RowStep* const product = maker(plan, plan.steps[i].data);
    if (product == nullptr || product->kind != Kind::combine || product->how != AluOp::multiply ||
        !is_read_once(plan, *product) || plan.values[product->result].dtype != DType::float32)
      continue;
    for (RowValueId* const side : {&product->data, &product->second}) {
      const RowStep* const scaling = maker(plan, *side);
      if (scaling == nullptr || !scales(plan, *scaling) || !is_read_once(plan, *scaling) ||
          plan.values[scaling->result].dtype != DType::float32)
        continue;
      RowStep behind = *scaling;
      *side = scaling->data;
      behind.result = plan.steps[i].result;
      plan.values.push_back({.dtype = DType::float32});
      behind.data = plan.steps[i].result = static_cast<RowValueId>(plan.values.size() - 1);
      plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(i) + 1, behind);
      break;
    }
  }
}

// A sum of scaled values is the scaled sum, which takes one pass over them less and does not wait
// for the number.
void scale_sums(RowPlan& plan) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (!is_sum(plan.steps[i])) continue;
    const RowStep* const scaling = maker(plan, plan.steps[i].data);
    if (scaling == nullptr || !scales(plan, *scaling)) continue;
    RowStep behind = *scaling;
    behind.result = plan.steps[i].result;
    plan.values.push_back({.dtype = DType::float32});
    behind.data = static_cast<RowValueId>(plan.values.size() - 1);
    plan.steps[i].data = scaling->data;
    plan.steps[i].result = behind.data;
    plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(i) + 1, behind);
    --i;  // what that is made of may be scaled, too
  }
}

// Whether it sums what a row's elements are more than their mean: all of them, in as many
// partitions as they lie.
bool sums_distances(const RowPlan& plan, const RowStep& step, std::int64_t columns) {
  const RowStep* sum = &step;
  if (plan.shares > 1) {
    sum = is_across(plan, step) ? maker(plan, step.data) : nullptr;
    while (sum != nullptr && scales(plan, *sum) && is_of_row(plan, sum->operators[0].operand))
      sum = maker(plan, sum->data);
  }
  if (sum == nullptr || !is_sum(*sum)) return false;
  const RowStep* const distance = maker(plan, sum->data);
  if (distance == nullptr || distance->kind != Kind::operators || distance->operators.size() != 1 ||
      plan.values[distance->result].dtype != DType::float32)
    return false;
  const RowOperator& shift = distance->operators[0];
  return shift.op == AluOp::subtract && !shift.reverse && !shift.operand.number &&
         sum_of_mean(plan, shift.operand.value, distance->data, columns) != nullptr;
}

// Of two numbers a row that are added or subtracted, one of which is 0.
void leave_out_zero(RowStep& step, const std::set<RowValueId>& zeros) {
  const bool adds = step.how == AluOp::add;
  const bool is_first = adds && zeros.contains(step.data);
  if (!is_first && !((adds || step.how == AluOp::subtract) && zeros.contains(step.second))) return;
  if (is_first) step.data = step.second;
  step.kind = Kind::operators;
  step.second = 0;
}

// Such a sum is 0 but for the rounding of the mean, and so is what it is scaled to, which then need
// not be added. The gradient of a variance has one.
void leave_out_zeros(RowPlan& plan, std::int64_t columns) {
  std::set<RowValueId> zeros;
  const auto is_zero = [&](const RowOperator& each) {
    return (each.op == AluOp::add || each.op == AluOp::subtract) && !each.reverse &&
           !each.operand.number && zeros.contains(each.operand.value);
  };
  for (RowStep& step : plan.steps) {
    const bool only_scales = step.kind == Kind::operators &&
                             std::ranges::all_of(step.operators, [](const RowOperator& each) {
                               return each.op == AluOp::multiply;
                             });
    if (sums_distances(plan, step, columns) || (only_scales && zeros.contains(step.data)))
      zeros.insert(step.result);
    else if (step.kind == Kind::operators)
      std::erase_if(step.operators, is_zero);
    else if (step.kind == Kind::combine && !plan.values[step.result].is_full)
      leave_out_zero(step, zeros);
  }
}

// A sum down the rows of products with one number a row: the array multiplies with that in place of
// ones, so that no pass does.
void weigh_column_sums(RowPlan& plan) {
  count_uses(plan);
  for (RowStep& sum : plan.steps) {
    if (sum.kind != Kind::column_sum) continue;
    RowStep* const pair = maker(plan, sum.data);
    if (pair == nullptr || pair->kind != Kind::combine || pair->how != AluOp::multiply ||
        !is_read_once(plan, *pair))
      continue;
    for (RowValueId* const side : {&pair->data, &pair->second}) {
      const RowStep* const scaled = maker(plan, *side);
      if (scaled == nullptr || !scales(plan, *scaled) || !is_read_once(plan, *scaled)) continue;
      const RowOperator& factor = scaled->operators[0];
      if (factor.operand.number ||
          plan.values[factor.operand.value].dtype != plan.values[pair->result].dtype)
        continue;
      sum.operators = {factor};
      *side = scaled->data;
      break;
    }
  }
}

bool is_power_of_two(double number) {
  int exponent = 0;
  return std::frexp(std::abs(number), &exponent) == 0.5;
}

// Whether all that reads a doubled value multiplies it with one number a row.
bool may_take_factor(const RowPlan& plan, const RowStep& doubled) {
  return std::ranges::all_of(plan.steps, [&](const RowStep& each) {
    bool reads = false;
    for_each_operand(each, [&](RowValueId id) { reads |= id == doubled.result; });
    return !reads ||
           (scales(plan, each) && each.data == doubled.result && !each.operators[0].operand.number);
  });
}

// Of two factors of a scaled value, a power of two goes to the one that is one number a row: an
// instruction has no third operator.
void move_factors(RowPlan& plan) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const RowStep doubled = plan.steps[i];
    const RowValue& value = plan.values[doubled.result];
    if (!scales(plan, doubled) || !value.is_full || value.result || value.dtype != DType::float32)
      continue;
    const std::optional<double> factor = doubled.operators[0].operand.number;
    const RowStep* const before = maker(plan, doubled.data);
    if (!factor || !is_power_of_two(*factor) || before == nullptr ||
        before->kind != Kind::operators || before->operators.empty() ||
        !may_take_factor(plan, doubled))
      continue;
    for (std::size_t k = i + 1; k < plan.steps.size(); ++k) {
      if (plan.steps[k].data != doubled.result || plan.steps[k].kind != Kind::operators) continue;
      RowStep both = doubled;
      both.data = plan.steps[k].operators[0].operand.value;
      plan.values.push_back({.dtype = DType::float32});
      both.result = static_cast<RowValueId>(plan.values.size() - 1);
      plan.steps[k].data = doubled.data;
      plan.steps[k].operators[0].operand.value = both.result;
      plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(k++), both);
    }
  }
}

// The other summand where a step adds `value`; nothing where it does not, or adds it to itself.
std::optional<RowValueId> added_to(const RowStep& step, RowValueId value) {
  if (step.kind != Kind::combine || step.how != AluOp::add || step.data == step.second)
    return std::nullopt;
  if (step.data == value) return step.second;
  return step.second == value ? std::optional(step.data) : std::nullopt;
}

// A scaled value that is added twice, as the gradient of a square has it, is added once, scaled by
// twice the number.
void add_once(RowPlan& plan) {
  count_uses(plan);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    RowStep& last = plan.steps[i];
    for (const RowValueId twice : {last.data, last.second}) {
      const std::optional<RowValueId> sum = added_to(last, twice);
      const RowStep* const first = sum ? maker(plan, *sum) : nullptr;
      const std::optional<RowValueId> other =
          first != nullptr ? added_to(*first, twice) : std::nullopt;
      RowStep* const scaled = other ? maker(plan, twice) : nullptr;
      if (scaled == nullptr || !scales(plan, *scaled) || plan.values[twice].uses != 2 ||
          plan.values[twice].result || !is_read_once(plan, *first) ||
          plan.values[*sum].dtype != DType::float32 || plan.values[twice].dtype != DType::float32)
        continue;
      RowOperand& by = scaled->operators[0].operand;
      last.data = *other;
      last.second = twice;
      if (by.number) {
        *by.number *= 2;
        break;
      }
      RowStep both = *scaled;
      both.data = by.value;
      both.operators = {{AluOp::multiply, {.number = 2}}};
      plan.values.push_back({.dtype = DType::float32});
      both.result = by.value = static_cast<RowValueId>(plan.values.size() - 1);
      plan.steps.insert(plan.steps.begin() + (scaled - plan.steps.data()), std::move(both));
      ++i;
      break;
    }
  }
}

void drop_unread(RowPlan& plan) {
  for (std::size_t i = plan.steps.size(); i-- > 0;) {
    count_uses(plan);
    const RowValue& value = plan.values[plan.steps[i].result];
    if (value.uses == 0 && !value.result && !plan.steps[i].sum)
      plan.steps.erase(plan.steps.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

const RowStep* sum_of_mean(const RowPlan& plan, RowValueId mean, RowValueId of,
                           std::int64_t columns) {
  const RowStep* const scaled = maker(plan, mean);
  const auto all = static_cast<double>(columns * plan.shares);
  if (scaled == nullptr || !scales(plan, *scaled) ||
      scaled->operators[0].operand.number != static_cast<float>(1 / all) ||
      plan.values[mean].dtype != DType::float32)
    return nullptr;
  const RowStep* sum = maker(plan, scaled->data);
  if (plan.shares > 1) {
    if (sum == nullptr || !is_across(plan, *sum)) return nullptr;
    sum = maker(plan, sum->data);
  }
  const bool is_it = sum != nullptr && is_sum(*sum) && sum->data == of &&
                     plan.values[sum->result].dtype == DType::float32;
  return is_it ? sum : nullptr;
}

void simplify(RowPlan& plan, std::int64_t columns) {
  scale_sums(plan);
  scale_summed_products(plan);
  leave_out_zeros(plan, columns);
  weigh_column_sums(plan);
  move_factors(plan);
  merge_scales_and_shifts(plan);
  add_once(plan);
  drop_unread(plan);
}

}  // namespace trainyard::compiler
