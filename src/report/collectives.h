// The collectives of a run: by which algorithm each moved how much. How long that took is in the
// tracks of their queues.
#pragma once

#include <vector>

#include "report/report.h"

namespace trainyard::report {

// In the program's order; equal ones of one line of the user's source are one.
[[nodiscard]] std::vector<Collective> collectives_of(const isa::Program& program, std::int32_t rank,
                                                     const trace::Summary& summary,
                                                     const machine::Machine& machine);

}  // namespace trainyard::report
