#include "trace/recorder.h"

#include <utility>

#include "base/error.h"

namespace trainyard::trace {

Recorder::Recorder(std::vector<Track> tracks, std::vector<Counter> counters,
                   std::size_t instruction_count, Detail detail)
    : tracks_(std::move(tracks)),
      counters_(std::move(counters)),
      detail_(detail),
      accumulator_(tracks_, instruction_count) {
  if (detail_ == Detail::full) {
    intervals_.resize(tracks_.size());
    samples_.resize(counters_.size());
  }
}

void Recorder::tell_each(TrackSet set, Reason reason, base::Ticks begin, base::Ticks end,
                         std::uint32_t instruction, std::uint32_t iteration, TrackId cause) {
  for (std::uint32_t rest = set.members; rest != 0; rest &= rest - 1) {
    const auto track =
        static_cast<StreamId>(index(set.first)) + static_cast<StreamId>(std::countr_zero(rest));
    tell(track, reason, begin, end, instruction, iteration, cause);
  }
}

void Recorder::finish(base::Ticks end) {
  summary_ = accumulator_.finish(end);
  for (IntervalStore& store : intervals_) store.flush(writer_);
  for (SampleStore& store : samples_) {
    base::check(store.last() <= end, "a run ends before its last counter sample");
    store.flush(writer_);
  }
}

}  // namespace trainyard::trace
