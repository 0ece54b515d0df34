// The chain of work and waits that made a run as long as it was, walked back from its end: where a
// track waited, the path goes on at what it waited for. Needs the full trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "isa/core/program.h"
#include "trace/timeline.h"

namespace trainyard::report {

// A stretch of the run and what it was spent on.
struct Segment {
  base::Ticks begin;
  base::Ticks end;
  trace::TrackId track{};
  // Of a wait: only the time between the end of what it waited for and its own end, which is the
  // signal's latency.
  trace::Reason reason = trace::Reason::idle;
  std::uint32_t instruction = trace::no_instruction;
};

// Time of the path spent by one track for one reason, and by one line of the user's source.
struct PathPart {
  trace::TrackId track{};
  trace::Reason reason = trace::Reason::idle;
  base::Ticks ticks;
};
struct PathLine {
  std::string place;  // "attention.py:41", or "" where the source is not known
  base::Ticks ticks;
};

struct CriticalPath {
  std::vector<Segment> segments;  // in time order; they tile the run
  std::vector<PathPart> parts;    // longest first; both add up to the run
  std::vector<PathLine> lines;
};

[[nodiscard]] CriticalPath critical_path(const isa::Program& program,
                                         const trace::Timeline& timeline);

}  // namespace trainyard::report
