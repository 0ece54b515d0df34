// What decides how a simulation goes on, seen from now: two moments with equal images go on alike,
// shifted in time. A component shows its state to a StateVisitor field by field; one function
// serves to take an image, to note what is there, and to jump over repetitions of what happened
// since then.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace trainyard::base {

class StateVisitor {
 public:
  using Numbers = std::vector<std::int64_t>;

  // Appends to `image` what decides how it goes on, as seen from `now`.
  [[nodiscard]] static StateVisitor taking(Ticks now, Numbers& image) {
    StateVisitor visitor(Mode::take);
    visitor.now_ = now;
    visitor.into_ = &image;
    return visitor;
  }
  // Appends to `before` what a jump changes.
  [[nodiscard]] static StateVisitor noting(Numbers& before) {
    StateVisitor visitor(Mode::note);
    visitor.into_ = &before;
    return visitor;
  }
  // Since `before` was noted, `period` has passed and led back to the same image; as if it passed
  // `times` more.
  [[nodiscard]] static StateVisitor jumping(Ticks period, std::int64_t times,
                                            const Numbers& before) {
    StateVisitor visitor(Mode::jump);
    visitor.way_ = period * times;
    visitor.times_ = times;
    visitor.before_ = &before;
    return visitor;
  }

  // Has to recur, whatever the time.
  template <typename T>
  void value(T value) {
    if (mode_ == Mode::take) into_->push_back(static_cast<std::int64_t>(value));
  }
  // A moment that has to recur, seen from now.
  void moment(Ticks& moment) {
    if (mode_ == Mode::take) into_->push_back((moment - now_).value);
    if (mode_ == Mode::jump) moment += way_;
  }
  // A moment that its owner compares with later ones than `floor` only: all before it are alike.
  // Left where it is unless it moved since it was noted.
  void past(Ticks& moment, Ticks floor) {
    if (mode_ == Mode::take) into_->push_back((std::max(moment, floor) - now_).value);
    if (mode_ == Mode::note) into_->push_back(moment.value);
    if (mode_ == Mode::jump && moment.value != noted()) moment += way_;
  }
  // The same where all of the past is alike.
  void past(Ticks& moment) { past(moment, now_); }
  // Only counts: nothing depends on it.
  void counter(std::int64_t& count) {
    if (mode_ == Mode::note) into_->push_back(count);
    if (mode_ == Mode::jump) count += times_ * (count - noted());
  }
  void counter(Ticks& ticks) { counter(ticks.value); }
  void counter(Bytes& bytes) { counter(bytes.value); }
  template <typename T>
  void counter(T& count) {
    auto wide = static_cast<std::int64_t>(count);
    counter(wide);
    count = static_cast<T>(wide);
  }

  // Whether it wants what only counts, too.
  [[nodiscard]] bool counts() const { return mode_ != Mode::take; }

 private:
  enum class Mode : std::uint8_t { take, note, jump };
  explicit StateVisitor(Mode mode) : mode_(mode) {}
  [[nodiscard]] std::int64_t noted() {
    check(at_ < before_->size(), "a jump shows what was noted");
    return (*before_)[at_++];
  }

  Mode mode_;
  Ticks now_, way_;
  std::int64_t times_ = 0;
  Numbers* into_ = nullptr;
  const Numbers* before_ = nullptr;
  std::size_t at_ = 0;
};

}  // namespace trainyard::base
