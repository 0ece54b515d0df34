// What a run is recorded on: tracks (an engine, a DMA queue, a DMA engine, an HBM stack) that
// intervals tile. Plain descriptions, made once before a run; ids are positions in the list given
// to the Recorder.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.h"
#include "trace/reason.h"

namespace trainyard::trace {

enum class TrackId : std::uint32_t {};
inline constexpr TrackId no_track{0xFFFFFFFFu};
[[nodiscard]] constexpr std::size_t index(TrackId track) { return static_cast<std::size_t>(track); }

// Tracks that do the same at the same time, such as DMA engines that share a transfer: bit i stands
// for `first` + i.
struct TrackSet {
  TrackId first{};
  std::uint32_t members = 1;

  [[nodiscard]] constexpr bool contains(TrackId track) const {
    const std::size_t at = index(track) - index(first);  // wraps around below `first`
    return at < 32 && ((members >> at) & 1u) != 0;
  }
  [[nodiscard]] constexpr bool overlaps(const TrackSet& other) const {
    const TrackSet& low = index(first) <= index(other.first) ? *this : other;
    const TrackSet& high = index(first) <= index(other.first) ? other : *this;
    const std::size_t shift = index(high.first) - index(low.first);
    return shift < 32 && ((low.members >> shift) & high.members) != 0;
  }
  [[nodiscard]] constexpr int size() const { return std::popcount(members); }
  [[nodiscard]] constexpr bool is_one_track() const { return std::has_single_bit(members); }
  friend constexpr bool operator==(const TrackSet&, const TrackSet&) = default;
};

// The instruction of an interval is its position in the isa::Program; this one stands for "none".
inline constexpr std::uint32_t no_instruction = 0xFFFFFFFFu;

enum class TrackKind : std::uint8_t { engine, dma_queue, dma_engine, memory, link };
inline constexpr std::size_t track_kind_count = 5;
[[nodiscard]] std::string_view name(TrackKind kind);

struct Track {
  std::string name;  // "tensor", "qSyncIO0", "dma3", "hbm0"
  TrackKind kind = TrackKind::engine;
  std::uint32_t core = 0;  // physical core, or the lowest core that shares it

  friend bool operator==(const Track&, const Track&) = default;
};

// One stretch of one track with one reason. [begin, end) in base ticks.
struct Interval {
  base::Ticks begin;
  base::Ticks end;
  std::uint32_t instruction = no_instruction;
  std::uint32_t iteration = 0;  // how often this instruction had run before, on this track
  Reason reason = Reason::idle;
  TrackId cause = no_track;  // of a wait: the track whose progress ended it, when known

  friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace trainyard::trace
