// What to try first to make a run shorter: changes of the kernel that were made and simulated, and
// costs that the author can lower, taken away.
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

// Of what was simulated, what gains at least 1 %: what changed kernels gain before what others gain
// at most, each most first.
[[nodiscard]] std::vector<NextStep> gaining(const Report& report, std::vector<NextStep> tried);
// The first of them in words, or that nothing gains.
[[nodiscard]] std::string describe(const Report& report, const std::vector<NextStep>& steps);

}  // namespace trainyard::report
