#include "trace/summary.h"

#include "base/error.h"

namespace trainyard::trace {

base::Ticks Summary::of_instruction(Side side, Reason reason, std::uint32_t instruction) const {
  base::check(instruction < executions_.size(), "an instruction id is beyond the program");
  return ticks_.get(instruction, side, reason);
}

ReasonTotals Summary::of_instruction(Side side, std::uint32_t instruction) const {
  base::check(instruction < executions_.size(), "an instruction id is beyond the program");
  return {ticks_.get(instruction, side)};
}

}  // namespace trainyard::trace
