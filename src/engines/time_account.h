// Where the time of one engine went: tiles its track with reasons as they become known, in time
// order and without overlap. Keeps the totals itself, so that a run without a recorder explains its
// time too.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/state_visitor.h"
#include "base/units.h"
#include "trace/recorder.h"

namespace trainyard::engines {

class TimeAccount {
 public:
  TimeAccount(trace::Recorder* recorder, trace::TrackId track)
      : recorder_(recorder), track_(track) {}

  // Everything from where the account stands up to `end` went to `reason`; nothing when it stands
  // there already.
  void until(base::Ticks end, trace::Reason reason, std::uint32_t instruction,
             std::uint32_t iteration, trace::TrackId cause = trace::no_track) {
    if (end > at_) spend(end, reason, instruction, iteration, cause);
  }
  // The engine had nothing to do up to here.
  void idle_until(base::Ticks end) {
    if (end <= at_) return;
    totals_.ticks[trace::index(trace::Reason::idle)] += (end - at_).value;
    at_ = end;
  }

  [[nodiscard]] base::Ticks at() const { return at_; }
  [[nodiscard]] const trace::ReasonTotals& totals() const { return totals_; }

  // Shows it as that of an engine at work, or, `still`, of one that does nothing.
  void show(base::StateVisitor& visitor, bool still) {
    still ? visitor.value(at_.value) : visitor.moment(at_);
    for (std::int64_t& ticks : totals_.ticks) visitor.counter(ticks);
  }

 private:
  void spend(base::Ticks end, trace::Reason reason, std::uint32_t instruction,
             std::uint32_t iteration, trace::TrackId cause);

  trace::Recorder* recorder_;
  trace::TrackId track_;
  base::Ticks at_;
  trace::ReasonTotals totals_;
};

}  // namespace trainyard::engines
