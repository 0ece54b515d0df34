#include "engines/throttle.h"

#include <algorithm>

#include "base/error.h"

namespace trainyard::engines {

using base::Ticks;

Throttle::Throttle(const machine::Throttle& spec)
    : spec_(spec), low_(spec.enabled && spec.starts_low), window_end_(spec.window - spec.phase) {
  base::check(!spec.enabled || (spec.window.value > 0 && spec.low > 0 && spec.full > 0),
              "a throttle has windows and rates");
  base::check(!spec.enabled || spec.phase < spec.window, "a run begins within a window");
}

void Throttle::close_window() {
  // What counts is the work, as a share of what the full rate could do (trace of eight Trn2
  // kernels).
  const bool was_busy =
      static_cast<double>(work_) >=
      spec_.threshold.value * static_cast<double>(spec_.window.value * spec_.full);
  busy_windows_ = was_busy ? busy_windows_ + 1 : 0;
  idle_windows_ = was_busy ? 0 : idle_windows_ + 1;
  if (low_) limited_ += spec_.window;
  if (low_ && busy_windows_ >= spec_.windows_to_rise) low_ = false;
  if (!low_ && idle_windows_ >= spec_.windows_to_fall) low_ = true;
  work_ = 0;
  window_end_ += spec_.window;
}

void Throttle::enter_window_of(Ticks time) {
  while (window_end_ <= time) {
    if (low_ && work_ == 0 && busy_windows_ == 0) {
      // Idle at the low rate: nothing changes, however many windows pass.
      const std::int64_t windows = (time - window_end_).value / spec_.window.value + 1;
      limited_ += spec_.window * windows;
      window_end_ += spec_.window * windows;
      return;
    }
    close_window();
  }
}

Throttle::Run Throttle::run(Ticks start, Ticks length) {
  if (!spec_.enabled) return {start + length, {0}};
  enter_window_of(start);
  Ticks at = start;
  std::int64_t work = length.value * spec_.denominator;  // at rate r, r of it is done in a tick
  while (work > 0) {
    const std::int64_t room = (window_end_ - at).value;
    const std::int64_t needed = base::ceil_div(work, rate());
    const std::int64_t spent = std::min(room, needed);
    work_ += spent * rate();
    at += {spent};
    work -= spent * rate();
    if (at == window_end_) close_window();
  }
  const Ticks unlimited{base::ceil_div(length.value * spec_.denominator, spec_.full)};
  return {at, at - start - unlimited};
}

}  // namespace trainyard::engines
