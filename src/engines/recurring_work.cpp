#include "engines/recurring_work.h"

#include <algorithm>

#include "base/error.h"

namespace trainyard::engines {

using base::Ticks;

bool RecurringWork::are_apart(std::span<const WorkSpan> spans, Ticks period) {
  for (std::size_t i = 0; i + 1 < spans.size(); ++i) {
    if (spans[i + 1].begin < spans[i].end) return false;
  }
  return spans.empty() || spans.back().end <= spans.front().begin + period;
}

RecurringWork::RecurringWork(std::span<const WorkSpan> spans, Ticks period)
    : spans_(spans), period_(period) {
  base::check(are_apart(spans, period) && !spans.empty(), "work that recurs does not overlap");
  worked_.reserve(spans.size() + 1);
  worked_.push_back({0});
  for (const WorkSpan& span : spans) worked_.push_back(worked_.back() + (span.end - span.begin));
}

Ticks RecurringWork::before(Ticks time) const {
  const Ticks since = time - spans_.front().begin;
  std::int64_t turns = since / period_;
  if (since < period_ * turns) --turns;  // rounded towards zero
  const Ticks at = time - period_ * turns;
  const auto next = std::ranges::upper_bound(spans_, at, {}, &WorkSpan::begin);
  const auto index = static_cast<std::size_t>(next - spans_.begin()) - 1;
  const WorkSpan& span = spans_[index];
  return worked_.back() * turns + worked_[index] + (std::min(at, span.end) - span.begin);
}

// How much a stretch holds changes its slope only where one of its ends meets one of a span's.
RecurringWork::Range RecurringWork::in_any(Ticks length) const {
  Range range{length, {0}};
  const auto look = [&](Ticks begin) {
    const Ticks worked = within(begin, begin + length);
    range.least = std::min(range.least, worked);
    range.most = std::max(range.most, worked);
  };
  for (const WorkSpan& span : spans_) {
    for (const Ticks edge : {span.begin, span.end}) {
      look(edge);
      look(edge - length);
    }
  }
  return range;
}

}  // namespace trainyard::engines
