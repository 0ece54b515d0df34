#include "trace/recorder.h"

#include <utility>

namespace trainyard::trace {

Recorder::Recorder(std::vector<Track> tracks, std::vector<Counter> counters,
                   std::size_t instruction_count, Detail detail)
    : tracks_(std::move(tracks)),
      counters_(std::move(counters)),
      detail_(detail),
      summary_(tracks_, instruction_count),
      intervals_(tracks_.size()),
      samples_(counters_.size()) {}

}  // namespace trainyard::trace
