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

bool Throttle::is_busy(std::int64_t work) const {
  return static_cast<double>(work) >=
         spec_.threshold.value * static_cast<double>(spec_.window.value * spec_.full);
}

void Throttle::close_window() {
  // What counts is the work, as a share of what the full rate could do (trace of eight Trn2
  // kernels).
  const bool was_busy = is_busy(work_);
  busy_windows_ = was_busy ? busy_windows_ + 1 : 0;
  idle_windows_ = was_busy ? 0 : idle_windows_ + 1;
  if (low_) limited_ += spec_.window;
  const bool was_low = low_;
  if (low_ && busy_windows_ >= spec_.windows_to_rise) low_ = false;
  if (!low_ && idle_windows_ >= spec_.windows_to_fall) low_ = true;
  if (low_ != was_low) ++changes_;
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
  if (keeps_) kept_.push_back({start, at});
  const Ticks unlimited{base::ceil_div(length.value * spec_.denominator, spec_.full)};
  return {at, at - start - unlimited};
}

void Throttle::show(base::StateVisitor& visitor) {
  if (!spec_.enabled) return;
  visitor.moment(window_end_);
  visitor.value(low_);
  visitor.value(work_);
  visitor.value(busy_windows_);
  visitor.value(idle_windows_);
  visitor.counter(limited_);
}

void Throttle::keep_work(bool keep) {
  if (!keep) kept_.clear();
  keeps_ = keep && spec_.enabled;
}

bool Throttle::is_constant(std::span<const WorkSpan> spans, Ticks period) const {
  if (!spec_.enabled || spans.empty()) return true;
  if (!RecurringWork::are_apart(spans, period)) return false;
  if (spec_.windows_to_rise < 1 || spec_.windows_to_fall < 1) return false;
  const RecurringWork work(spans, period);
  // The window that is open began before the work recurred.
  const Ticks rest = work.within(spans.back().end, window_end_);
  if (is_busy(work_ + rest.value * rate()) == low_) return false;
  const RecurringWork::Range range = work.in_any(spec_.window);
  return low_ ? !is_busy(range.most.value * rate()) : is_busy(range.least.value * rate());
}

void Throttle::repeat(std::span<const WorkSpan> spans, Ticks period, std::int64_t times) {
  if (!spec_.enabled || spans.empty()) return;
  const RecurringWork work(spans, period);
  const Ticks last = spans.back().end, end = last + period * times;
  const std::int64_t windows =
      end < window_end_ ? 0 : (end - window_end_).value / spec_.window.value + 1;
  window_end_ += spec_.window * windows;
  const Ticks begin = windows == 0 ? last : window_end_ - spec_.window;
  work_ = (windows == 0 ? work_ : 0) + work.within(begin, end).value * rate();
  if (windows == 0) return;
  if (low_) limited_ += spec_.window * windows;
  busy_windows_ = low_ ? 0 : busy_windows_ + windows;
  idle_windows_ = low_ ? idle_windows_ + windows : 0;
}

}  // namespace trainyard::engines
