// The simulation kernel: events that happen in the order (time, priority, sequence). It knows
// integer time and who is to be called, nothing about what is simulated, so the same events are
// always handled in the same order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/state_visitor.h"
#include "base/units.h"

namespace trainyard::events {

using base::Ticks;

// What an event carries to its handler: which of the handler's events it is, and one number that
// goes with it.
struct Message {
  std::uint32_t what = 0;
  std::uint32_t index = 0;
  friend bool operator==(const Message&, const Message&) = default;
};

// Something events are addressed to: an engine, a memory, a link.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual void handle(Message message) = 0;

 protected:
  ~Handler() = default;  // handlers are owned by their components, never through this type
};

// Of events at the same time, `early` ones come first and `late` ones last; within one priority the
// order of scheduling decides.
enum class Priority : std::uint8_t { early, normal, late };

class Queue {
 public:
  static constexpr Ticks never{std::numeric_limits<std::int64_t>::max()};

  [[nodiscard]] Ticks now() const { return now_; }
  // When the next event happens; `never` when none is left.
  [[nodiscard]] Ticks next() const { return heap_.empty() ? never : heap_.front().time; }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  // How many events were handled so far.
  [[nodiscard]] std::uint64_t handled() const { return handled_; }

  // Calls handler.handle(message) at `time`, which must not lie in the past.
  void at(Ticks time, Handler& handler, Message message, Priority priority = Priority::normal);
  void after(Ticks delay, Handler& handler, Message message, Priority priority = Priority::normal) {
    at(now_ + delay, handler, message, priority);
  }

  // Handles the next event. False when none is left.
  bool step() {
    if (heap_.empty()) return false;
    const Event& next = heap_.front();
    Handler& handler = *next.handler;
    const Message message = next.message;
    now_ = next.time;
    ++handled_;
    remove_front();
    handler.handle(message);
    return true;
  }
  // It is `time` now, and nothing was to happen before.
  void reach(Ticks time) {
    base::check(time >= now_ && time <= next(), "time runs forwards, past no event");
    now_ = time;
  }
  // Handles events until none is left.
  void run() {
    while (step()) {
    }
  }

  // Shows what is still to come; meaning(handler, message) is a number that says what it is.
  template <typename F>
  void show(base::StateVisitor& visitor, F&& meaning) {
    std::sort(heap_.begin(), heap_.end(),
              [](const Event& a, const Event& b) { return a.before(b); });  // which is a heap
    visitor.value(heap_.size());
    for (Event& event : heap_) {
      visitor.moment(event.time);
      visitor.value(event.order >> 56);
      visitor.value(meaning(*event.handler, event.message));
    }
    visitor.moment(now_);
    visitor.counter(handled_);
  }

 private:
  struct Event {
    Ticks time;
    std::uint64_t order = 0;  // priority, then sequence number
    Handler* handler = nullptr;
    Message message;

    [[nodiscard]] bool before(const Event& other) const {
      return time != other.time ? time < other.time : order < other.order;
    }
  };
  static constexpr std::size_t arity = 4;  // a shallow heap: few events are pending at once

  void remove_front();

  std::vector<Event> heap_;
  Ticks now_;
  std::uint64_t sequence_ = 0;
  std::uint64_t handled_ = 0;
};

}  // namespace trainyard::events
