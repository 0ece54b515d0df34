#include "compiler/lowering/rows/row_room.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "compiler/lowering/rows/row_joins.h"

namespace trainyard::compiler {

namespace {

std::int64_t bytes_of(const RowPlan& plan, const RowValue& value, std::int64_t columns) {
  if (value.is_product) return 0;  // in PSUM
  return (value.is_full || value.is_column_sum ? columns : plan.stacked) *
         numerics::size_in_bytes(value.dtype);
}

// What the bands that are under way take of a partition: each value from its stage to its last.
std::int64_t bytes_overlapping(const RowPlan& plan, std::int64_t columns) {
  std::int64_t sum = 0;
  for (const RowValue& value : plan.values) {
    std::int64_t bands = value.last - value.first + 1;
    if (value.input || value.is_early) bands = value.is_alike ? 1 : bands + plan.ahead;
    if (value.result) ++bands;  // while it is stored
    sum += bands * bytes_of(plan, value, columns);
  }
  return sum;
}

}  // namespace

std::int64_t bytes_alone(const RowPlan& plan, std::int64_t columns) {
  std::vector<std::size_t> last(plan.values.size(), 0);
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    for_each_operand(plan.steps[i], [&](RowValueId id) { last[id] = i; });
  std::int64_t live = 0;
  for (const RowValue& value : plan.values) {
    if (value.input) live += bytes_of(plan, value, columns) * (value.is_alike ? 1 : 1 + plan.ahead);
  }
  std::int64_t most = live;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const RowStep& step = plan.steps[i];
    live +=
        bytes_of(plan, plan.values[step.result], columns) * (step.is_early ? 1 + plan.ahead : 1);
    most = std::max(most, live);
    for (RowValueId id = 0; id < plan.values.size(); ++id) {
      const RowValue& value = plan.values[id];
      const bool ends = last[id] == i && !value.input && !value.result && value.uses > 0;
      if (ends) live -= bytes_of(plan, value, columns);
    }
    if (plan.values[step.result].uses == 0 && !plan.values[step.result].result)
      live -= bytes_of(plan, plan.values[step.result], columns);
  }
  return most;
}

bool choose_overlap(RowPlan& plan, std::int64_t columns, std::int64_t bytes, bool may_overlap) {
  constexpr std::array<std::pair<bool, int>, 4> choices{
      {{true, 2}, {true, 1}, {false, 1}, {false, 0}}};
  for (const auto& [overlaps, ahead] : choices) {
    if (overlaps && !may_overlap) continue;
    plan.overlaps = overlaps;
    plan.ahead = ahead;
    const std::int64_t needed =
        overlaps ? bytes_overlapping(plan, columns) : bytes_alone(plan, columns);
    if (needed <= bytes) return true;
  }
  return false;
}

}  // namespace trainyard::compiler
