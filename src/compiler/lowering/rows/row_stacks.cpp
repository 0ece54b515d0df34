#include "compiler/lowering/rows/row_stacks.h"

#include <algorithm>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/rows/row_engines.h"
#include "compiler/lowering/rows/row_joins.h"
#include "compiler/lowering/rows/row_shares.h"

namespace trainyard::compiler {

namespace {

using Kind = RowStep::Kind;

// What has one number a row on one side computes all rows of a partition at once, as a pair of
// tensors; as an operator of an instruction, it takes one for each row.
void pair_numbers(RowPlan& plan) {
  for (RowStep& step : plan.steps) {
    if (step.kind != Kind::operators || step.operators.size() != 1 ||
        step.operators[0].operand.number)
      continue;
    const RowOperator by = step.operators[0];
    step.kind = Kind::combine;
    step.how = by.op;
    step.second = by.operand.value;
    if (by.reverse) std::swap(step.data, step.second);
    step.operators.clear();
  }
}

void set_apart(RowPlan& plan) {
  for (RowStep& step : plan.steps) {
    const bool has_numbers = std::ranges::any_of(
        step.operators, [](const RowOperator& each) { return !each.operand.number; });
    step.is_apart = step.sum || has_numbers || step.kind == Kind::column_sum;
  }
}

}  // namespace

base::Ticks time_of(const RowPlan& plan, const RowSpace& space, base::Ticks engines,
                    const machine::Core& core) {
  const std::int64_t bands = space.bands(rows_of_band(plan, core));
  const std::int64_t columns = space.share_columns() / space.parts;
  return std::max(engines, transfer_time(plan, columns, core)) * (bands + plan.stages + plan.ahead);
}

std::vector<RowPlan> ways_to_stack(const RowPlan& simple, std::int64_t rows, std::int64_t columns) {
  RowPlan apart = simple, pairs = simple;
  apart.stacked = pairs.stacked = rows;
  pair_numbers(pairs);
  std::vector<RowPlan> all{apart, pairs, pairs};
  for (std::size_t i = 0; i < all.size(); ++i) join_row_steps(all[i], i < 2);
  if (auto moments = with_moments(all[0], columns)) all.push_back(*std::move(moments));
  for (RowPlan& each : all) set_apart(each);
  return all;
}

}  // namespace trainyard::compiler
