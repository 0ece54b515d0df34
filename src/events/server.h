// A resource that serves one request after the other: a bus, a bank, a memory's bandwidth. Requests
// are served in the order they come, so several users that send small requests in turn share the
// rate evenly.
#pragma once

#include <algorithm>

#include "base/state_visitor.h"
#include "base/units.h"

namespace trainyard::events {

class Server {
 public:
  struct Slot {
    base::Ticks begin, end;
  };

  // Reserves `length` from the first moment at or after `now` that is free.
  Slot serve(base::Ticks now, base::Ticks length) {
    const base::Ticks begin = std::max(now, free_at_);
    free_at_ = begin + length;
    busy_ += length;
    return {begin, free_at_};
  }
  // When the last reservation ends.
  [[nodiscard]] base::Ticks free_at() const { return free_at_; }
  // Time reserved so far.
  [[nodiscard]] base::Ticks busy() const { return busy_; }

  void show(base::StateVisitor& visitor) {
    visitor.past(free_at_);
    visitor.counter(busy_);
  }

 private:
  base::Ticks free_at_;
  base::Ticks busy_;
};

}  // namespace trainyard::events
