#include "trace/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace trainyard::trace {

Summary::Summary(std::span<const Track> tracks, std::size_t instruction_count)
    : tracks_(tracks.size()), executions_(instruction_count) {
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks_[i].side = tracks[i].kind == TrackKind::engine ? Side::engine : Side::service;
  }
}

void Summary::count_executions(std::span<const std::uint32_t> executions) {
  base::check(executions.size() == executions_.size(),
              "executions are not counted for the program");
  for (std::size_t i = 0; i < executions.size(); ++i)
    executions_[i] = std::max(executions_[i], executions[i]);
}

void Summary::finish(base::Ticks end) {
  for (PerTrack& track : tracks_) {
    base::check(track.end <= end.value, "a run ends before its last interval");
    track.totals.ticks[index(Reason::idle)] += end.value - track.end;
    track.end = end.value;
  }
  end_ = end;
}

base::Ticks Summary::of_instruction(Side side, Reason reason, std::uint32_t instruction) const {
  base::check(instruction < executions_.size(), "an instruction id is beyond the program");
  const Column& column = columns_[static_cast<std::size_t>(side)][index(reason)];
  return {column.empty() ? 0 : column[instruction]};
}

ReasonTotals Summary::of_instruction(Side side, std::uint32_t instruction) const {
  ReasonTotals totals;
  for (const Reason reason : all_reasons()) {
    totals.ticks[index(reason)] = of_instruction(side, reason, instruction).value;
  }
  return totals;
}

void Summary::start_column(Column& column, std::uint32_t instruction) const {
  base::check(instruction < executions_.size(),
              "an interval names an instruction beyond the program");
  column.resize(executions_.size());
}

void Summary::start_waits(PerTrack& track, TrackId cause) const {
  if (index(cause) >= tracks_.size()) unknown_track(cause);
  track.waits.resize(tracks_.size());
}

void Summary::unknown_track(TrackId track) {
  base::fail(fmt::format("track {} was not given to the recorder", index(track)));
}

void Summary::overlap(TrackId track, base::Ticks begin, base::Ticks end) const {
  base::fail(fmt::format("track {} already ends at tick {}, but an interval [{}, {}) follows",
                         index(track), tracks_[index(track)].end, begin.value, end.value));
}

}  // namespace trainyard::trace
