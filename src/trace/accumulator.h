// Folds the intervals of a run into its Summary while it runs. Always on in a timed run, so it does
// little for each interval and stores none.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/state_visitor.h"
#include "trace/summary.h"

namespace trainyard::trace {

// Tracks that are always told of together are one stream: every single track, and every set that
// occurred.
using StreamId = std::uint32_t;

class Accumulator {
 public:
  // More sets than this are not kept as streams of their own; their tracks are told of one by one.
  static constexpr std::size_t sets_max = 64;

  // `instruction_count` is the length of the program; instruction ids must be below it or
  // no_instruction.
  Accumulator(std::span<const Track> tracks, std::size_t instruction_count);

  // Intervals of one track come in time order and do not overlap (an internal error otherwise);
  // gaps count as idle.
  void interval(StreamId stream, Reason reason, base::Ticks begin, base::Ticks end,
                std::uint32_t instruction, TrackId cause) {
    if (stream >= streams_.size()) [[unlikely]]
      unknown_track(stream);
    Stream& s = streams_[stream];
    if (begin < s.end || end < begin) [[unlikely]]
      overlap(s, begin, end);
    if (s.is_shared && stream != last_shared_) [[unlikely]]
      change_shared(stream, begin);
    const std::int64_t ticks = (end - begin).value;
    s.totals.ticks[index(reason)] += ticks;
    s.end = end;
    if (cause != no_track) {
      if (index(cause) >= s.waits.size()) [[unlikely]]
        start_waits(s, cause);
      s.waits[index(cause)] += ticks;
    }
    if (instruction != no_instruction) {
      if (instruction >= ticks_.size()) [[unlikely]]
        unknown_instruction(instruction);
      ticks_.add(instruction, s.side, reason, ticks * s.size);
    }
  }

  // The stream of a set of tracks, or nothing when there are already too many.
  [[nodiscard]] std::optional<StreamId> stream_of(TrackSet set) {
    if (set.is_one_track())
      return static_cast<StreamId>(index(set.first)) +
             static_cast<StreamId>(std::countr_zero(set.members));
    if (last_set_ < streams_.size() && streams_[last_set_].set == set) [[likely]]
      return last_set_;
    return find_set(set);
  }

  // Shows what was counted of all streams, and of these instructions, which are all that run while
  // something repeats.
  void show(base::StateVisitor& visitor, std::span<const std::uint32_t> instructions);
  // How often each instruction ran. Intervals cannot tell: some instructions take no time at all.
  void count_executions(std::span<const std::uint32_t> executions);
  // The account of a run that ends at `end`. Takes what was counted by instruction with it.
  [[nodiscard]] Summary finish(base::Ticks end);
  [[nodiscard]] std::size_t stream_count() const { return streams_.size(); }
  [[nodiscard]] const TrackSet& set(StreamId stream) const { return streams_[stream].set; }

 private:
  struct Stream {
    ReasonTotals totals;  // without idle
    base::Ticks end;
    TrackSet set;
    std::int64_t size = 1;  // of the set
    Side side = Side::engine;
    bool is_shared = false;             // another stream has tracks of this one
    std::vector<std::int64_t> waits{};  // by cause; empty while all are zero
  };

  [[nodiscard]] std::optional<StreamId> find_set(TrackSet set);
  void change_shared(StreamId stream, base::Ticks begin);
  void start_waits(Stream& stream, TrackId cause) const;
  [[noreturn]] static void unknown_instruction(std::uint32_t instruction);
  [[noreturn]] static void unknown_track(std::size_t track);
  [[noreturn]] static void overlap(const Stream& stream, base::Ticks begin, base::Ticks end);

  std::vector<Stream> streams_;  // the single tracks first
  std::size_t track_count_;
  StreamId last_set_ = 0xFFFFFFFFu;
  StreamId last_shared_ = 0xFFFFFFFFu;
  InstructionTicks ticks_;
  std::vector<std::uint32_t> executions_;
};

}  // namespace trainyard::trace
