// The one observer of a timed run. Engines hold a `Recorder*` that may be null; they report every
// stretch of time with its reason, and the Recorder folds it into the Summary and, when asked for a
// full trace, keeps it. It never answers back, so listening cannot change a cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/state_visitor.h"
#include "base/units.h"
#include "trace/accumulator.h"
#include "trace/reason.h"
#include "trace/store.h"
#include "trace/summary.h"
#include "trace/track.h"

namespace trainyard::trace {

enum class Detail : std::uint8_t { summary, full };

class Recorder {
 public:
  // Ids are positions in this list. `instruction_count` is the length of the program.
  Recorder(std::vector<Track> tracks, std::size_t instruction_count, Detail detail);

  // [begin, end) of `track` went to `reason` on behalf of `instruction` (or no_instruction) in its
  // run number `iteration`, counted from 0. Intervals of one track come in time order and never
  // overlap; what is left out is idle. For a wait, `cause` names the track whose progress ended it,
  // when the engine knows.
  void interval(TrackId track, Reason reason, base::Ticks begin, base::Ticks end,
                std::uint32_t instruction, std::uint32_t iteration, TrackId cause = no_track) {
    if (begin == end) return;
    tell(static_cast<StreamId>(track), reason, begin, end, instruction, iteration, cause);
  }

  // The same of every track in `set`, at the price of one.
  void intervals(TrackSet set, Reason reason, base::Ticks begin, base::Ticks end,
                 std::uint32_t instruction, std::uint32_t iteration, TrackId cause = no_track) {
    if (begin == end) return;
    if (const std::optional<StreamId> stream = accumulator_.stream_of(set)) [[likely]] {
      tell(*stream, reason, begin, end, instruction, iteration, cause);
    } else {
      tell_each(set, reason, begin, end, instruction, iteration, cause);
    }
  }

  // How often each instruction of the program ran, before finish(). Intervals cannot tell: some
  // instructions take no time at all.
  void count_executions(std::span<const std::uint32_t> executions) {
    accumulator_.count_executions(executions);
  }

  // See Accumulator::show; for a recorder that keeps no intervals.
  void show(base::StateVisitor& visitor, std::span<const std::uint32_t> instructions) {
    base::check(detail_ == Detail::summary, "a full recording has every interval");
    accumulator_.show(visitor, instructions);
  }

  // Ends the run at `end`, once, after the last interval.
  void finish(base::Ticks end);

  [[nodiscard]] Detail detail() const { return detail_; }
  [[nodiscard]] const std::vector<Track>& tracks() const { return tracks_; }
  // Of a finished run.
  [[nodiscard]] const Summary& summary() const { return summary_; }
  // What a finished full recording kept: intervals by stream, with the tracks each is of.
  [[nodiscard]] const std::vector<IntervalStore>& intervals() const { return intervals_; }
  [[nodiscard]] const TrackSet& set(StreamId stream) const { return accumulator_.set(stream); }
  // Of every interval kept: equal runs have equal hashes on every host.
  [[nodiscard]] std::uint64_t content_hash() const { return content_hash_; }

 private:
  void tell(StreamId stream, Reason reason, base::Ticks begin, base::Ticks end,
            std::uint32_t instruction, std::uint32_t iteration, TrackId cause) {
    accumulator_.interval(stream, reason, begin, end, instruction, cause);
    if (detail_ == Detail::full) {
      if (stream >= intervals_.size()) [[unlikely]]
        intervals_.resize(accumulator_.stream_count());
      intervals_[stream].append(begin, end, instruction, iteration, reason, cause, *writer_);
    }
  }
  void tell_each(TrackSet set, Reason reason, base::Ticks begin, base::Ticks end,
                 std::uint32_t instruction, std::uint32_t iteration, TrackId cause);

  std::vector<Track> tracks_;
  Detail detail_;
  Accumulator accumulator_;
  Summary summary_;
  std::vector<IntervalStore> intervals_;
  std::unique_ptr<ChunkWriter> writer_;  // while a full recording goes on
  std::uint64_t content_hash_ = 0;
};

}  // namespace trainyard::trace
