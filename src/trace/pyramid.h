// Levels of detail of one track: ticks by reason in buckets of a power of two ticks, built while
// intervals arrive. The finest width adapts, so that a bucket holds a bounded number of intervals
// and the memory a bounded number of buckets.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "trace/summary.h"
#include "trace/track.h"

namespace trainyard::trace {

// Buckets of 2^width_log2 ticks from tick 0 on. Idle time is what the other reasons leave.
struct Level {
  unsigned width_log2 = 0;
  std::vector<ReasonTotals> buckets;

  friend bool operator==(const Level&, const Level&) = default;
};

class Pyramid {
 public:
  // About this many intervals share one bucket of the finest level.
  static constexpr std::size_t rows_per_bucket = 64;
  // The finest level has at least room for this many buckets, the coarsest at most a quarter of it.
  static constexpr std::size_t buckets_min = 1024;
  // A level is this many powers of two coarser than the one beneath it.
  static constexpr unsigned step_log2 = 2;

  // Intervals in time order, without overlap.
  void add(std::span<const Interval> rows);
  // All levels, finest first, of a run that lasts until `end`.
  [[nodiscard]] std::vector<Level> levels(base::Ticks end) const;

 private:
  void reach(std::int64_t last_tick);
  void add_row(const Interval& row);

  Level finest_{.width_log2 = 7, .buckets = {}};  // starts at 128 ticks, about a nanosecond
  std::size_t rows_ = 0;
};

// The same totals in buckets 2^step_log2 times as wide.
[[nodiscard]] Level coarser(const Level& level, unsigned step_log2);

}  // namespace trainyard::trace
