// By how much each instruction could have ended later without making its run longer. 0 is critical;
// a little more is what becomes critical next. Needs the full trace.
#pragma once

#include <optional>
#include <vector>

#include "base/units.h"
#include "isa/core/program.h"
#include "trace/timeline.h"

namespace trainyard::report {

// By instruction, the least slack of its runs; nothing for one that took no time. Order on a track,
// semaphores and the way of a transfer from its issue to its queue are kept. A signal that ended a
// wait takes as long as it did; any other as long as the quickest one between the same kinds of
// tracks.
[[nodiscard]] std::vector<std::optional<base::Ticks>> slack_of(const isa::Program& program,
                                                               const trace::Timeline& timeline);

}  // namespace trainyard::report
