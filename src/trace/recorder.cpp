#include "trace/recorder.h"

#include <utility>

#include "base/error.h"

namespace trainyard::trace {

Recorder::Recorder(std::vector<Track> tracks, std::vector<Counter> counters,
                   std::size_t instruction_count, Detail detail)
    : tracks_(std::move(tracks)),
      counters_(std::move(counters)),
      detail_(detail),
      summary_(tracks_, instruction_count) {
  if (detail_ == Detail::full) {
    intervals_.resize(tracks_.size());
    samples_.resize(counters_.size());
  }
}

void Recorder::finish(base::Ticks end) {
  summary_.finish(end);
  for (IntervalStore& store : intervals_) store.flush(writer_);
  for (SampleStore& store : samples_) {
    base::check(store.last() <= end, "a run ends before its last counter sample");
    store.flush(writer_);
  }
}

}  // namespace trainyard::trace
