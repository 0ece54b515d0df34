#include "report/critical_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/stable_sort.h"

namespace trainyard::report {
namespace {

using trace::Reason;
using trace::TrackId;

using Semaphores = std::vector<std::vector<std::uint16_t>>;  // by instruction

// Adds the semaphores of a stream's entries, which `of` finds, to their instructions.
template <typename Of>
Semaphores semaphores(const isa::Program& program, Of of) {
  Semaphores result(program.instructions.size());
  for (const auto& stream : program.streams) {
    for (const isa::StreamItem& item : stream) {
      for (const auto& each : of(item)) result[item.instruction].push_back(each.semaphore);
    }
  }
  return result;
}

// When work of each track that signals a semaphore ended.
class SignalTimes {
 public:
  SignalTimes(const isa::Program& program, const std::vector<std::vector<trace::Interval>>& rows)
      : waits_(semaphores(program,
                          [&](const isa::StreamItem& item) { return program.waits_of(item); })),
        times_(rows.size()) {
    const Semaphores signals =
        semaphores(program, [&](const isa::StreamItem& item) { return program.signals_of(item); });
    for (std::size_t t = 0; t < rows.size(); ++t) {
      for (const trace::Interval& row : rows[t]) {
        if (row.reason != Reason::working || row.instruction >= signals.size()) continue;
        for (const std::uint16_t semaphore : signals[row.instruction])
          times_[t][semaphore].push_back(row.end);
      }
    }
  }

  // The latest end of work on `track` that signals what `consumer` waits for, not after `time`.
  [[nodiscard]] std::optional<base::Ticks> last_before(TrackId track, std::uint32_t consumer,
                                                       base::Ticks time) const {
    if (consumer >= waits_.size()) return std::nullopt;
    std::optional<base::Ticks> last;
    for (const std::uint16_t semaphore : waits_[consumer]) {
      const auto found = times_[index(track)].find(semaphore);
      if (found == times_[index(track)].end()) continue;
      const auto after = std::ranges::upper_bound(found->second, time);
      if (after != found->second.begin())
        last = std::max(last.value_or(base::Ticks{0}), *std::prev(after));
    }
    return last;
  }

 private:
  Semaphores waits_;
  std::vector<std::unordered_map<std::uint16_t, std::vector<base::Ticks>>> times_;  // look-up only
};

class PathFinder {
 public:
  PathFinder(const isa::Program& program, const trace::Timeline& timeline)
      : timeline_(timeline), rows_(timeline.rows), signals_(program, rows_) {}

  CriticalPath run() {
    now_ = timeline_.end;
    track_ = last_track();
    while (now_ > base::Ticks{0}) step();
    std::ranges::reverse(path_.segments);
    return std::move(path_);
  }

 private:
  // The track whose work ends last.
  [[nodiscard]] TrackId last_track() const {
    TrackId last{};
    base::Ticks end{-1};
    for (std::uint32_t t = 0; t < rows_.size(); ++t) {
      const auto row =
          std::find_if(rows_[t].rbegin(), rows_[t].rend(),
                       [](const trace::Interval& i) { return i.reason != Reason::idle; });
      if (row == rows_[t].rend() || row->end <= end) continue;
      end = row->end;
      last = TrackId{t};
    }
    return last;
  }

  // The interval of a track that holds the tick before `time`. Intervals tile the run, so there is
  // one.
  [[nodiscard]] const trace::Interval* before(TrackId track, base::Ticks time) const {
    const std::vector<trace::Interval>& rows = rows_[index(track)];
    const auto row = std::ranges::partition_point(
        rows, [&](const trace::Interval& i) { return i.begin < time; });
    return row == rows.begin() ? nullptr : &*std::prev(row);
  }

  void spend(const trace::Interval& row, base::Ticks from) {
    path_.segments.push_back({from, now_, track_, row.reason, row.instruction});
    now_ = from;
    jumps_ = 0;
  }

  void step() {
    const trace::Interval* row = before(track_, now_);
    base::check(row != nullptr, "the intervals of a track do not tile the run");
    // Tracks that wait for each other at the same tick must not send the walk to and fro for ever.
    const bool may_jump = jumps_ < rows_.size();
    if (may_jump && row->reason == Reason::idle && leave_gap(*row)) return;
    if (may_jump && is_waiting(row->reason) && row->cause != trace::no_track && follow_wait(*row))
      return;
    spend(*row, row->begin);
  }

  // To what the wait was for: the last work of the cause's track that signals the waiting
  // instruction, or, when none does, whatever that track was at.
  bool follow_wait(const trace::Interval& wait) {
    if (const auto signal = signals_.last_before(wait.cause, wait.instruction, now_)) {
      return jump(wait, wait.cause, *signal);
    }
    const trace::Interval* other = before(wait.cause, now_);
    if (wait.cause == track_ || other->reason == Reason::idle) return false;
    return jump(wait, wait.cause, std::min(other->end, now_));
  }

  // A queue or DMA engine that has nothing to do gets its next work from the engine that issues it.
  bool leave_gap(const trace::Interval& gap) {
    const trace::Interval* next = after_gap(gap);
    if (next == nullptr || timeline_.tracks[index(track_)].kind == trace::TrackKind::engine)
      return false;
    const auto issue = issue_of(*next, now_);
    if (!issue) return false;
    trace::Interval start = *next;  // from the issue to its start: descriptors and fixed latencies
    start.reason = Reason::overhead;
    return jump(start, issue->first, issue->second);
  }

  [[nodiscard]] const trace::Interval* after_gap(const trace::Interval& gap) const {
    const std::vector<trace::Interval>& rows = rows_[index(track_)];
    const auto next = std::ranges::partition_point(
        rows, [&](const trace::Interval& i) { return i.begin <= gap.begin; });
    return next == rows.end() ? nullptr : &*next;
  }

  // Where an engine last dealt with the same run of the same instruction, before `time`.
  [[nodiscard]] std::optional<std::pair<TrackId, base::Ticks>> issue_of(const trace::Interval& work,
                                                                        base::Ticks time) {
    if (work.instruction == trace::no_instruction) return std::nullopt;
    if (issues_.empty()) index_issues();
    const auto found = issues_.find({work.instruction, work.iteration});
    if (found == issues_.end() || found->second.second > time) return std::nullopt;
    return found->second;
  }

  void index_issues() {
    for (std::uint32_t t = 0; t < rows_.size(); ++t) {
      if (timeline_.tracks[t].kind != trace::TrackKind::engine) continue;
      for (const trace::Interval& row : rows_[t]) {
        if (row.instruction != trace::no_instruction)
          issues_[{row.instruction, row.iteration}] = {TrackId{t}, row.end};
      }
    }
  }

  // The time from `time`, when the other track was done, until now is the latency of the signal.
  bool jump(const trace::Interval& wait, TrackId track, base::Ticks time) {
    if (time < now_) spend(wait, time);
    ++jumps_;
    track_ = track;
    return true;
  }

  struct RunHash {
    std::size_t operator()(const std::pair<std::uint32_t, std::uint32_t>& run) const {
      return std::hash<std::uint64_t>()((std::uint64_t{run.first} << 32) | run.second);
    }
  };

  const trace::Timeline& timeline_;
  std::vector<std::vector<trace::Interval>> rows_;
  SignalTimes signals_;
  std::unordered_map<std::pair<std::uint32_t, std::uint32_t>, std::pair<TrackId, base::Ticks>,
                     RunHash>
      issues_;
  CriticalPath path_;
  base::Ticks now_;
  TrackId track_{};
  std::size_t jumps_ = 0;  // since time last moved
};

}  // namespace

namespace {

std::string place_of(const isa::Program& program, std::uint32_t instruction) {
  if (instruction >= program.instructions.size()) return {};
  const isa::Location& location = program.locations[program.instructions[instruction].location];
  if (location.frame == 0) return {};
  const isa::Frame& frame = program.frames[location.frame];
  return fmt::format("{}:{}", program.strings[frame.file], frame.line);
}

void fold(const isa::Program& program, CriticalPath& path) {
  std::map<std::pair<TrackId, Reason>, base::Ticks> parts;
  std::map<std::string, base::Ticks> lines;
  for (const Segment& segment : path.segments) {
    parts[{segment.track, segment.reason}] += segment.end - segment.begin;
    lines[place_of(program, segment.instruction)] += segment.end - segment.begin;
  }
  for (const auto& [key, ticks] : parts) path.parts.push_back({key.first, key.second, ticks});
  for (const auto& [place, ticks] : lines) path.lines.push_back({place, ticks});
  base::stable_sort(path.parts, std::ranges::greater{}, &PathPart::ticks);
  base::stable_sort(path.lines, std::ranges::greater{}, &PathLine::ticks);
}

}  // namespace

CriticalPath critical_path(const isa::Program& program, const trace::Timeline& timeline) {
  CriticalPath path = PathFinder(program, timeline).run();
  fold(program, path);
  return path;
}

}  // namespace trainyard::report
