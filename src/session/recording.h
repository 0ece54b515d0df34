// What a recorded run did, for people and as files. Made from its recorder when somebody asks.
#pragma once

#include <span>
#include <string>

#include "session/session.h"
#include "trace/timeline.h"

namespace trainyard::session {

// All of a recorded run.
[[nodiscard]] trace::Timeline timeline_of(const Run& run);
// The bytes of a .tytrace file (docs/formats/trace.md).
[[nodiscard]] std::string tytrace_of(const Run& run);
// The bytes of a .pftrace file (docs/formats/perfetto.md).
[[nodiscard]] std::string perfetto_of(const Run& run);
// Memory over time and the critical path as JSON (docs/formats/view.md).
[[nodiscard]] std::string details_of(const Run& run);
// The recorded ones of the ranks of a run, one after the other and joined by arrows where they
// meet, and the links between their chips.
[[nodiscard]] std::string perfetto_of_ranks(std::span<const Run* const> runs);

}  // namespace trainyard::session
