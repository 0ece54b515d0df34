// The always-on account of a run: ticks by reason for every track and every instruction, and
// nothing per event. It is what bench() and reports read; the full trace (trace/recorder.h) adds
// the events themselves.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "trace/reason.h"
#include "trace/track.h"

namespace trainyard::trace {

// Ticks by reason.
struct ReasonTotals {
  std::array<std::int64_t, reason_count> ticks{};

  [[nodiscard]] base::Ticks of(Reason reason) const { return {ticks[index(reason)]}; }
  [[nodiscard]] base::Ticks total() const {
    std::int64_t sum = 0;
    for (const std::int64_t t : ticks) sum += t;
    return {sum};
  }
  ReasonTotals& operator+=(const ReasonTotals& other) {
    for (std::size_t i = 0; i < reason_count; ++i) ticks[i] += other.ticks[i];
    return *this;
  }
  friend bool operator==(const ReasonTotals&, const ReasonTotals&) = default;
};

class ByteReader;

// Where an instruction's time is counted: on the engine that runs it, or on the queues, DMA
// engines, memories and links that serve it (which overlap, so these may exceed the run's length).
enum class Side : std::uint8_t { engine, service };
inline constexpr std::size_t side_count = 2;

class Summary {
 public:
  Summary() = default;
  // `instruction_count` is the length of the program; instruction ids must be below it or
  // no_instruction.
  Summary(std::span<const Track> tracks, std::size_t instruction_count);

  // Intervals of one track come in time order and do not overlap (an internal error otherwise);
  // gaps count as idle.
  void interval(TrackId track, Reason reason, base::Ticks begin, base::Ticks end,
                std::uint32_t instruction, std::uint32_t iteration, TrackId cause = no_track) {
    if (index(track) >= tracks_.size()) [[unlikely]]
      unknown_track(track);
    PerTrack& t = tracks_[index(track)];
    if (begin.value < t.end || end < begin) [[unlikely]]
      overlap(track, begin, end);
    const std::int64_t ticks = end.value - begin.value;
    t.totals.ticks[index(Reason::idle)] += begin.value - t.end;
    t.totals.ticks[index(reason)] += ticks;
    t.end = end.value;
    if (cause != no_track) {
      if (index(cause) >= t.waits.size()) [[unlikely]]
        start_waits(t, cause);
      t.waits[index(cause)] += ticks;
    }
    if (instruction != no_instruction)
      instruction_ticks(t.side, reason, instruction, iteration, ticks);
  }

  // How often each instruction ran, as the engines counted it: some instructions take no time at
  // all, so intervals do not show every run.
  void count_executions(std::span<const std::uint32_t> executions);
  // Ends the run: every track is idle from its last interval to `end`. Intervals may not follow.
  void finish(base::Ticks end);

  void encode(std::string& out) const;
  // A finished summary of these tracks whose reasons tile [0, end). Throws InputError "trace.file".
  [[nodiscard]] static Summary decode(ByteReader& reader, std::span<const Track> tracks,
                                      base::Ticks end);

  [[nodiscard]] base::Ticks end() const { return end_; }
  [[nodiscard]] std::size_t track_count() const { return tracks_.size(); }
  [[nodiscard]] std::size_t instruction_count() const { return executions_.size(); }
  [[nodiscard]] const ReasonTotals& totals(TrackId track) const {
    return tracks_[index(track)].totals;
  }
  [[nodiscard]] base::Ticks track_end(TrackId track) const { return {tracks_[index(track)].end}; }
  // Ticks that `track` waited for progress of `cause`.
  [[nodiscard]] base::Ticks waited_for(TrackId track, TrackId cause) const {
    const Column& waits = tracks_[index(track)].waits;
    return {waits.empty() ? 0 : waits[index(cause)]};
  }
  [[nodiscard]] base::Ticks of_instruction(Side side, Reason reason,
                                           std::uint32_t instruction) const;
  [[nodiscard]] ReasonTotals of_instruction(Side side, std::uint32_t instruction) const;
  // How often the instruction ran: as counted, and at least one more than the highest iteration
  // that an interval showed.
  [[nodiscard]] std::uint32_t executions(std::uint32_t instruction) const {
    return executions_[instruction];
  }

  friend bool operator==(const Summary&, const Summary&) = default;

 private:
  using Column = std::vector<std::int64_t>;  // empty until something is counted in it
  struct PerTrack {
    ReasonTotals totals;
    Column waits;  // by cause
    std::int64_t end = 0;
    Side side = Side::engine;

    friend bool operator==(const PerTrack&, const PerTrack&) = default;
  };

  void instruction_ticks(Side side, Reason reason, std::uint32_t instruction,
                         std::uint32_t iteration, std::int64_t ticks) {
    Column& column = columns_[static_cast<std::size_t>(side)][index(reason)];
    if (instruction >= column.size()) [[unlikely]]
      start_column(column, instruction);
    column[instruction] += ticks;
    if (iteration >= executions_[instruction]) executions_[instruction] = iteration + 1;
  }
  void start_column(Column& column, std::uint32_t instruction) const;
  void start_waits(PerTrack& track, TrackId cause) const;
  [[noreturn]] static void unknown_track(TrackId track);
  [[noreturn]] void overlap(TrackId track, base::Ticks begin, base::Ticks end) const;

  std::vector<PerTrack> tracks_;
  std::array<std::array<Column, reason_count>, side_count> columns_;  // by instruction
  std::vector<std::uint32_t> executions_;
  base::Ticks end_;
};

}  // namespace trainyard::trace
