// The account of a finished run: ticks by reason for every track and every instruction, and nothing
// per event. It is what bench() and reports read; the full trace (trace/trace_file.h) adds the
// events themselves.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "trace/instruction_ticks.h"
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

class Summary {
 public:
  Summary() = default;

  [[nodiscard]] base::Ticks end() const { return end_; }
  [[nodiscard]] std::size_t track_count() const { return tracks_.size(); }
  [[nodiscard]] std::size_t instruction_count() const { return executions_.size(); }
  // The reasons of a track add up to the run.
  [[nodiscard]] const ReasonTotals& totals(TrackId track) const {
    return tracks_[index(track)].totals;
  }
  // Ticks that `track` waited for progress of `cause`.
  [[nodiscard]] base::Ticks waited_for(TrackId track, TrackId cause) const {
    const std::vector<std::int64_t>& waits = tracks_[index(track)].waits;
    return {waits.empty() ? 0 : waits[index(cause)]};
  }
  [[nodiscard]] base::Ticks of_instruction(Side side, Reason reason,
                                           std::uint32_t instruction) const;
  [[nodiscard]] ReasonTotals of_instruction(Side side, std::uint32_t instruction) const;
  // How often the instruction ran.
  [[nodiscard]] std::uint32_t executions(std::uint32_t instruction) const {
    return executions_[instruction];
  }

  void encode(std::string& out) const;
  // Throws InputError "trace.file", also when the reasons of a track do not add up to `end`.
  [[nodiscard]] static Summary decode(ByteReader& reader, std::size_t tracks, base::Ticks end);

  friend bool operator==(const Summary&, const Summary&) = default;

 private:
  friend class Accumulator;
  struct PerTrack {
    ReasonTotals totals;
    std::vector<std::int64_t> waits;  // by cause; empty while all are zero

    friend bool operator==(const PerTrack&, const PerTrack&) = default;
  };

  std::vector<PerTrack> tracks_;
  InstructionTicks ticks_;
  std::vector<std::uint32_t> executions_;
  base::Ticks end_;
};

}  // namespace trainyard::trace
