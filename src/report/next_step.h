// What to try first to make a run shorter, in one sentence: what gains most where a cost that the
// author can lower is taken away and the same program is simulated again.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace trainyard::report {

// Time in which a line kept engines from anything else: working and overhead, without waits.
[[nodiscard]] base::Ticks busy(const trace::ReasonTotals& totals);
[[nodiscard]] base::Ticks waiting(const trace::ReasonTotals& totals);

// Something an author can do, and a machine on which it would be done already.
struct Advice {
  std::string text;  // "move longer rows in each transfer"
  Change change;
};
// What makes sense for the run: of units that it uses, of bytes that it moves more than once.
[[nodiscard]] std::vector<Advice> advices(const Report& report);

// The advice that gains most, with its gain; `times` are those of the advices' machines.
[[nodiscard]] std::string next_step(const Report& report, const std::vector<Advice>& advices,
                                    const std::vector<base::Ticks>& times);

}  // namespace trainyard::report
