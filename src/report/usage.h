// How the tracks of a run spent their time, and which of them bounds it.
#pragma once

#include <span>
#include <vector>

#include "report/report.h"

namespace trainyard::report {

[[nodiscard]] std::vector<TrackUsage> usage_of(const trace::Summary& summary,
                                               std::span<const trace::Track> tracks);
// 0 of a run that took no time.
[[nodiscard]] double share(base::Ticks part, base::Ticks whole);
[[nodiscard]] Bound bound_of(const std::vector<TrackUsage>& tracks, base::Ticks run);

}  // namespace trainyard::report
