// What to try first to make a run shorter, in one sentence. A rule of thumb from the report's own
// figures, not a promise.
#pragma once

#include <string>

#include "report/report.h"

namespace trainyard::report {

// Time in which a line kept engines from anything else: working and overhead, without waits.
[[nodiscard]] base::Ticks busy(const trace::ReasonTotals& totals);
[[nodiscard]] base::Ticks waiting(const trace::ReasonTotals& totals);

[[nodiscard]] std::string next_step(const Report& report);

}  // namespace trainyard::report
