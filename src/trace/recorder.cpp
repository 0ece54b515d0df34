#include "trace/recorder.h"

#include <utility>

namespace trainyard::trace {

Recorder::Recorder(std::vector<Track> tracks, std::size_t instruction_count, Detail detail)
    : tracks_(std::move(tracks)), detail_(detail), accumulator_(tracks_, instruction_count) {
  if (detail_ == Detail::full) {
    intervals_.resize(tracks_.size());
    writer_ = std::make_unique<ChunkWriter>();
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
  if (writer_ == nullptr) return;
  for (IntervalStore& store : intervals_) store.close(*writer_);
  content_hash_ = writer_->hash;
  writer_.reset();
}

}  // namespace trainyard::trace
