// All intervals of a run, by track: what an analysis of a whole run reads. Made from a recording
// that is in memory, or from a trace file.
#pragma once

#include <vector>

#include "base/units.h"
#include "trace/recorder.h"
#include "trace/track.h"

namespace trainyard::trace {

class TraceFile;

struct Timeline {
  std::vector<Track> tracks;
  // By track: in time order; they tile the run, with `idle` in between.
  std::vector<std::vector<Interval>> rows;
  base::Ticks end;
};

// Of a finished full recording.
[[nodiscard]] Timeline timeline_of(const Recorder& recorder);
// Throws InputError "trace.file" where the bytes are not what the format says.
[[nodiscard]] Timeline timeline_of(const TraceFile& file);

}  // namespace trainyard::trace
