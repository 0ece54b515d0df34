#include "trace/summary.h"

#include "base/error.h"

namespace trainyard::trace {

base::Ticks Summary::of_instruction(Side side, Reason reason, std::uint32_t instruction) const {
  base::check(instruction < executions_.size(), "an instruction id is beyond the program");
  const std::vector<std::int64_t>& column = ticks_[static_cast<std::size_t>(side)][index(reason)];
  return {column.empty() ? 0 : column[instruction]};
}

ReasonTotals Summary::of_instruction(Side side, std::uint32_t instruction) const {
  ReasonTotals totals;
  for (const Reason reason : all_reasons()) {
    totals.ticks[index(reason)] = of_instruction(side, reason, instruction).value;
  }
  return totals;
}

}  // namespace trainyard::trace
