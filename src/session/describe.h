// The reports of timed runs, from what the runtime recorded.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/run.h"
#include "session/session.h"

namespace trainyard::session {

// What the runs of these instances tell, in their order; `results` are those of one run together.
[[nodiscard]] std::vector<Run> described(std::span<const std::shared_ptr<Instance>> instances,
                                         std::vector<runtime::Result> results,
                                         const machine::Machine& machine, const Options& options);

}  // namespace trainyard::session
