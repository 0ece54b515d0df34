// The reports of timed runs, from what the runtime recorded.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "economics/prices.h"
#include "runtime/run.h"
#include "session/session.h"

namespace trainyard::session {

// What the runs of these instances tell, in their order; `results` are those of one run together.
// `prices` may be null for an untimed run.
[[nodiscard]] std::vector<Run> described(std::span<const std::shared_ptr<Instance>> instances,
                                         std::vector<runtime::Result> results,
                                         const machine::Machine& machine,
                                         const economics::Prices* prices, const Options& options);

}  // namespace trainyard::session
