#include "events/partitions.h"

#include <algorithm>
#include <utility>

namespace trainyard::events {

namespace {

// A round of few events costs less than waking threads; no part keeps the others waiting for long.
constexpr std::uint64_t alone_max = 64, together_max = 4096;

}  // namespace

void Partitions::ask(std::size_t part, Handler& to, Message message) {
  Part& asking = parts_[part];
  asking.asked.push_back({asking.queue.now(), &to, message});
  ++asking.open;
  asking.limit = std::min(asking.limit, asking.queue.now());
}

void Partitions::answer(std::size_t part) {
  base::check(parts_[part].open > 0, "an answer has a question");
  --parts_[part].open;
  parts_[part].queue.reach(between_.now());
}

void Partitions::Part::run(std::uint64_t events_max) {
  try {
    for (std::uint64_t k = 0; k < events_max && is_ready(); ++k) queue.step();
  } catch (...) {
    failure = std::current_exception();
  }
}

Partitions::Part* Partitions::first_asking() {
  Part* first = nullptr;
  for (Part& part : parts_) {
    if (part.asked.empty()) continue;
    if (first == nullptr || part.asked.front().time < first->asked.front().time) first = &part;
  }
  return first;
}

Ticks Partitions::next_between() {
  const Part* const asking = first_asking();
  return asking == nullptr ? between_.next()
                           : std::min(between_.next(), asking->asked.front().time);
}

void Partitions::step_between() {
  Part* const asking = first_asking();
  if (asking == nullptr || asking->asked.front().time > between_.next()) {
    between_.step();
    return;
  }
  const Question question = asking->asked.front();
  asking->asked.pop_front();
  between_.reach(question.time);
  question.to->handle(question.message);
}

void Partitions::find_ready(Ticks between) {
  // An answer comes from between(), or from what another part asks.
  Ticks first = Queue::never, second = Queue::never, failed = Queue::never;
  const Part* earliest = nullptr;
  for (const Part& part : parts_) {
    const Ticks next = part.next();
    if (part.failure) failed = std::min(failed, next);
    if (next < first) {
      second = std::exchange(first, next);
      earliest = &part;
    } else {
      second = std::min(second, next);
    }
  }
  ready_.clear();
  for (Part& part : parts_) {
    part.limit = failed;
    if (part.open > 0) part.limit = std::min({failed, between, &part == earliest ? second : first});
    if (part.is_ready()) ready_.push_back(&part);
  }
}

void Partitions::run_ready(base::ThreadPool& threads) {
  for (Part* part : ready_) part->run(alone_max);
  std::erase_if(ready_, [](const Part* part) { return !part->is_ready(); });
  if (ready_.empty()) return;
  threads.run(ready_.size(), [&](std::size_t k, bool) { ready_[k]->run(together_max); });
}

void Partitions::run(base::ThreadPool& threads, const std::function<void()>& look) {
  for (;;) {
    const Ticks between = next_between();
    if (between < now()) {
      step_between();
    } else {
      find_ready(between);
      if (ready_.empty()) return throw_earliest();
      run_ready(threads);
    }
    if (look) look();
  }
}

void Partitions::throw_earliest() const {
  const Part* earliest = nullptr;
  for (const Part& part : parts_) {
    if (part.failure && (earliest == nullptr || part.next() < earliest->next())) earliest = &part;
  }
  if (earliest != nullptr) std::rethrow_exception(earliest->failure);
}

Ticks Partitions::now() const {
  Ticks first = Queue::never;
  for (const Part& part : parts_) first = std::min(first, part.next());
  return first;
}

Ticks Partitions::end() const {
  Ticks last = between_.now();
  for (const Part& part : parts_) last = std::max(last, part.queue.now());
  return last;
}

std::uint64_t Partitions::handled() const {
  std::uint64_t sum = between_.handled();
  for (const Part& part : parts_) sum += part.queue.handled();
  return sum;
}

}  // namespace trainyard::events
