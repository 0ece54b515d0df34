#include "trace/accumulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace trainyard::trace {

Accumulator::Accumulator(std::span<const Track> tracks, std::size_t instruction_count)
    : track_count_(tracks.size()), ticks_(instruction_count), executions_(instruction_count) {
  streams_.resize(tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    streams_[i].set = {static_cast<TrackId>(i), 1};
    streams_[i].side = side_of(tracks[i].kind);
  }
}

std::optional<StreamId> Accumulator::find_set(TrackSet set) {
  base::check(set.members != 0, "an interval is of no track");
  const auto found =
      std::find_if(streams_.begin() + static_cast<std::ptrdiff_t>(track_count_), streams_.end(),
                   [&](const Stream& stream) { return stream.set == set; });
  if (found != streams_.end()) return last_set_ = static_cast<StreamId>(found - streams_.begin());
  if (streams_.size() - track_count_ >= sets_max) return std::nullopt;
  const std::size_t last =
      index(set.first) + static_cast<std::size_t>(std::bit_width(set.members)) - 1;
  if (last >= track_count_) unknown_track(last);
  Stream stream;
  stream.set = set;
  stream.size = set.size();
  stream.side = streams_[index(set.first)].side;
  stream.is_shared = true;
  for (Stream& other : streams_) {
    if (other.set.overlaps(set)) other.is_shared = true;
  }
  streams_.push_back(std::move(stream));
  return last_set_ = static_cast<StreamId>(streams_.size() - 1);
}

// Streams with common tracks take turns; who takes over must begin after all the others.
void Accumulator::change_shared(StreamId stream, base::Ticks begin) {
  const Stream& next = streams_[stream];
  for (const Stream& other : streams_) {
    if (other.end > begin && other.set.overlaps(next.set)) overlap(other, begin, begin);
  }
  last_shared_ = stream;
}

void Accumulator::show(base::StateVisitor& visitor, std::span<const std::uint32_t> instructions) {
  visitor.value(streams_.size());
  if (!visitor.counts()) return;
  for (Stream& stream : streams_) {
    for (std::int64_t& ticks : stream.totals.ticks) visitor.counter(ticks);
    for (std::size_t cause = 0; cause < track_count_; ++cause) {
      // None so far is as many as zero of each.
      std::int64_t none = 0;
      visitor.counter(stream.waits.empty() ? none : stream.waits[cause]);
    }
  }
  for (const std::uint32_t i : instructions) {
    for (const Side side : {Side::engine, Side::service}) {
      for (std::size_t r = 0; r < reason_count; ++r) {
        const auto reason = static_cast<Reason>(r);
        const std::int64_t so_far = ticks_.get(i, side, reason).value;
        std::int64_t ticks = so_far;
        visitor.counter(ticks);
        if (ticks != so_far) ticks_.add(i, side, reason, ticks - so_far);
      }
    }
  }
}

void Accumulator::count_executions(std::span<const std::uint32_t> executions) {
  base::check(executions.size() == executions_.size(),
              "executions are not counted for the program");
  executions_.assign(executions.begin(), executions.end());
}

Summary Accumulator::finish(base::Ticks end) {
  Summary summary;
  summary.end_ = end;
  summary.ticks_ = std::move(ticks_);
  summary.executions_ = std::move(executions_);
  summary.tracks_.resize(track_count_);
  for (const Stream& stream : streams_) {
    base::check(stream.end <= end, "a run ends before its last interval");
    for (std::size_t t = 0; t < track_count_; ++t) {
      if (!stream.set.contains(static_cast<TrackId>(t))) continue;
      Summary::PerTrack& track = summary.tracks_[t];
      track.totals += stream.totals;
      track.waits.resize(std::max(track.waits.size(), stream.waits.size()));
      for (std::size_t c = 0; c < stream.waits.size(); ++c) track.waits[c] += stream.waits[c];
    }
  }
  for (Summary::PerTrack& track : summary.tracks_) {
    std::int64_t& idle = track.totals.ticks[index(Reason::idle)];
    idle = 0;
    idle = (end - track.totals.total()).value;
    base::check(idle >= 0, "the intervals of a track are longer than the run");
  }
  return summary;
}

void Accumulator::start_waits(Stream& stream, TrackId cause) const {
  if (index(cause) >= track_count_) unknown_track(index(cause));
  stream.waits.resize(track_count_);
}

void Accumulator::unknown_instruction(std::uint32_t instruction) {
  base::fail(fmt::format("an interval names instruction {}, beyond the program", instruction));
}

void Accumulator::unknown_track(std::size_t track) {
  base::fail(fmt::format("track {} was not given to the recorder", track));
}

void Accumulator::overlap(const Stream& stream, base::Ticks begin, base::Ticks end) {
  base::fail(fmt::format("track {} already ends at tick {}, but an interval [{}, {}) follows",
                         index(stream.set.first), stream.end.value, begin.value, end.value));
}

}  // namespace trainyard::trace
