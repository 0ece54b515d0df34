#include "events/queue.h"

#include <algorithm>
#include <utility>

namespace trainyard::events {

void Queue::at(Ticks time, Handler& handler, Message message, Priority priority) {
  base::check(time >= now_, "an event lies in the past");
  const std::uint64_t order =
      (std::uint64_t{static_cast<std::uint8_t>(priority)} << 56) | sequence_++;
  std::size_t at = heap_.size();
  heap_.emplace_back(time, order, &handler, message);
  while (at > 0) {
    const std::size_t parent = (at - 1) / arity;
    if (!heap_[at].before(heap_[parent])) break;
    std::swap(heap_[at], heap_[parent]);
    at = parent;
  }
}

void Queue::remove_front() {
  const Event last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return;
  std::size_t at = 0;
  for (;;) {
    const std::size_t first = at * arity + 1;
    if (first >= size) break;
    std::size_t best = first;
    const std::size_t end = std::min(first + arity, size);
    for (std::size_t child = first + 1; child < end; ++child) {
      if (heap_[child].before(heap_[best])) best = child;
    }
    if (!heap_[best].before(last)) break;
    heap_[at] = heap_[best];
    at = best;
  }
  heap_[at] = last;
}

}  // namespace trainyard::events
