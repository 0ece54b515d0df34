#include "events/partitions.h"

#include <algorithm>
#include <utility>

namespace trainyard::events {

namespace {

// A round of few events costs less than waking threads. Parts that follow another one have
// something to do when it has gone on a little: with 4,096 a pipeline of chips
// (benchmarks/system.cpp) goes one chip at a time.
constexpr std::uint64_t alone_max = 16, together_max = 256;

}  // namespace

void Partitions::ask(std::size_t part, Handler& to, Message announced, Message message) {
  Part& asking = parts_[part];
  asking.asked.push_back({asking.queue.now(), &to, announced, message});
  ++asking.open;
  asking.limit = std::min(asking.limit, asking.queue.now());
}

void Partitions::answer(std::size_t part) {
  base::check(parts_[part].open > 0, "an answer has a question");
  --parts_[part].open;
  parts_[part].queue.reach(between_.now());
}

void Partitions::wait(std::size_t part, Rendezvous& rendezvous) {
  Part& waiting = parts_[part];
  waiting.waits.push_back(&rendezvous);
  rendezvous.last = std::max(rendezvous.last, waiting.queue.now());
}

void Partitions::met(std::size_t part, const Rendezvous& rendezvous) {
  std::vector<Rendezvous*>& waits = parts_[part].waits;
  waits.erase(std::ranges::find(waits, &rendezvous));
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
  --asking->announced;
  between_.reach(question.time);
  question.to->handle(question.message);
}

Ticks Partitions::answered_from(Rendezvous& rendezvous) {
  if (rendezvous.pass == pass_) return rendezvous.answered;
  rendezvous.pass = pass_;
  rendezvous.answered = rendezvous.last;
  for (const auto& [missing, count] : rendezvous.missing)
    rendezvous.answered = std::max(rendezvous.answered, parts_[missing].asks);
  return rendezvous.answered;
}

Ticks Partitions::answered_from(std::size_t part, Ticks others) {
  const Part& waiting = parts_[part];
  Ticks from = waiting.open > waiting.waits.size() ? others : Queue::never;
  for (Rendezvous* const one : waiting.waits) {
    if (one->missing.contains(part)) continue;  // it stops where it asks
    from = std::min(from, answered_from(*one));
  }
  return from;
}

// A part asks when it goes on, or when an answer lets it; an answer comes when others have asked.
void Partitions::look_ahead(Ticks between) {
  Ticks first = Queue::never, second = Queue::never;
  const Part* earliest = nullptr;
  for (Part& part : parts_) {
    part.asks = part.next();
    if (part.next() < first) {
      second = std::exchange(first, part.next());
      earliest = &part;
    } else {
      second = std::min(second, part.next());
    }
  }
  for (bool changes = true; changes;) {
    changes = false;
    ++pass_;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      Part& part = parts_[k];
      part.answered = answered_from(k, std::min(between, &part == earliest ? second : first));
      if (part.answered >= part.asks) continue;
      part.asks = part.answered;
      changes = true;
    }
  }
}

void Partitions::find_ready(Ticks between) {
  look_ahead(between);
  Ticks failed = Queue::never;
  for (const Part& part : parts_) {
    if (part.failure) failed = std::min(failed, part.next());
  }
  ready_.clear();
  for (Part& part : parts_) {
    part.limit = std::min(failed, part.answered);
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
    announce();
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

void Partitions::announce() {
  for (Part& part : parts_) {
    try {
      while (part.announced < part.asked.size()) {
        const Question& question = part.asked[part.announced++];
        question.to->handle(question.announced);
      }
    } catch (...) {
      part.failure = std::current_exception();
    }
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
