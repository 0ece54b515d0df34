// The clock limit of the tensor engine against current steps: time is cut into windows, and the
// share of each window in which the array worked decides whether the next one runs at the full or
// at the low rate. It knows no instruction. Source: neuron-explorer summary page; clock windows in
// public Trn2 profiles.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state_visitor.h"
#include "base/units.h"
#include "engines/recurring_work.h"
#include "machine/pe_array.h"

namespace trainyard::engines {

class Throttle {
 public:
  explicit Throttle(const machine::Throttle& spec);

  struct Run {
    base::Ticks end;
    base::Ticks lost;  // of the time from start to end: what the limit cost
  };
  // Work that takes `length` at the full rate, beginning at `start`. Starts never fall, but for
  // work side by side: what begins in a window that is closed counts in the one that is open.
  [[nodiscard]] Run run(base::Ticks start, base::Ticks length);

  // A time at the full rate, at the rate of now.
  [[nodiscard]] base::Ticks slowed(base::Ticks length) const {
    return spec_.enabled ? base::Ticks{base::ceil_div(length.value * spec_.full, rate())} : length;
  }
  // The rate now, of spec.denominator.
  [[nodiscard]] std::int64_t rate() const { return low_ ? spec_.low : spec_.full; }
  // Time spent below the full rate, up to the last start.
  [[nodiscard]] base::Ticks limited() const { return limited_; }

  // Shows where it stands in its window, and what it counts from window to window.
  void show(base::StateVisitor& visitor);
  // Keeps the work it is given from now on, or forgets it.
  void keep_work(bool keep);
  [[nodiscard]] const std::vector<WorkSpan>& work_kept() const { return kept_; }
  // How often the rate has changed.
  [[nodiscard]] std::int64_t changes() const { return changes_; }
  // Whether no window can change the rate, which is that of all of `work`, while `work` recurs each
  // `period`, of which it was the latest: wherever the windows lie, all are busy, or all are idle.
  [[nodiscard]] bool is_constant(std::span<const WorkSpan> work, base::Ticks period) const;
  // As if it had recurred so many more times, the rate being constant.
  void repeat(std::span<const WorkSpan> work, base::Ticks period, std::int64_t times);

 private:
  [[nodiscard]] bool is_busy(std::int64_t work) const;
  void enter_window_of(base::Ticks time);
  void close_window();

  machine::Throttle spec_;
  bool low_;
  base::Ticks window_end_;
  std::int64_t work_ = 0;                             // done in this window: ticks x rate
  std::int64_t busy_windows_ = 0, idle_windows_ = 0;  // in a row
  base::Ticks limited_;
  std::int64_t changes_ = 0;
  bool keeps_ = false;
  std::vector<WorkSpan> kept_;
};

}  // namespace trainyard::engines
