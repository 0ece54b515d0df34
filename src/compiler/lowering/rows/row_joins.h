// Joins the steps of a row plan, so that its values take fewer passes: operators become part of the
// steps that read them, casts the format that is written, sums what Scalar adds as it computes.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// Calls f with each value that a step reads.
template <typename F>
void for_each_operand(const RowStep& step, F&& f) {
  if (step.kind != RowStep::Kind::other) f(step.data);
  if (step.kind == RowStep::Kind::combine || step.kind == RowStep::Kind::rescale ||
      step.kind == RowStep::Kind::blend)
    f(step.second);
  if (step.is_local) return;
  for (const RowOperator& each : step.operators) {
    if (!each.operand.number) f(each.operand.value);
  }
  for (const RowOperand& each : step.operands) {
    if (!each.number) f(each.value);
  }
}

void count_uses(RowPlan& plan);

// Joins what can be joined, and counts the uses of each value. `sums`: also an activation and the
// sum of its results.
void join_row_steps(RowPlan& plan, bool sums = true);

// The joined plan with a sum along a row of so many elements, and the sum of the squared distances
// from its mean, as one pass. Nothing where it has no such pair.
[[nodiscard]] std::optional<RowPlan> with_moments(const RowPlan& plan, std::int64_t columns);

}  // namespace trainyard::compiler
