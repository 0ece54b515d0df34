// The clock limit of the tensor engine against current steps: time is cut into windows, and the
// share of each window in which the array worked decides whether the next one runs at the full or
// at the low rate. It knows no instruction. Source: neuron-explorer summary page; clock windows in
// public Trn2 profiles.
#pragma once

#include <cstdint>

#include "base/units.h"
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

 private:
  void enter_window_of(base::Ticks time);
  void close_window();

  machine::Throttle spec_;
  bool low_;
  base::Ticks window_end_;
  std::int64_t work_ = 0;                             // done in this window: ticks x rate
  std::int64_t busy_windows_ = 0, idle_windows_ = 0;  // in a row
  base::Ticks limited_;
};

}  // namespace trainyard::engines
