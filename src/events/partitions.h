// Several queues that advance together. Each belongs to one part of what is simulated, a chip: its
// handlers touch nothing of another part. What several parts have in common has a queue of its own,
// whose events come behind everything that the parts do at the same time. So neither how far a part
// runs ahead nor the number of host threads changes what happens, or in which order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <vector>

#include "base/thread_pool.h"
#include "events/queue.h"

namespace trainyard::events {

// Questions that are answered together, when none is missing any more.
struct Rendezvous {
  std::map<std::size_t, std::size_t> missing{};  // by part, which is out of it when none is
  Ticks last{};                                  // of those that are there
  Ticks answered{};                              // no earlier, as found in the
  std::uint64_t pass = 0;                        // one of Partitions::look_ahead
};

class Partitions {
 public:
  // One more part, before the run. Its queue stays where it is.
  Queue& add() { return parts_.emplace_back().queue; }
  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  [[nodiscard]] Queue& operator[](std::size_t part) { return parts_[part].queue; }
  // Its handlers may touch a part that they have just answered.
  [[nodiscard]] Queue& between() { return between_; }

  // From a handler of `part`, or one that has just answered it: `to` handles `message` between the
  // parts, at this time; what parts ask at one time in the order of the parts. Until it is
  // answered, the part runs no further than the time at which an answer may come. `to` handles
  // `announced` some time before, when no part runs: it may tell what the question waits for.
  void ask(std::size_t part, Handler& to, Message announced, Message message);
  // From a handler of between(). One question of `part` is answered, whose time it is now.
  void answer(std::size_t part);
  // What was announced of `part` waits there, where it is not missing any more.
  void wait(std::size_t part, Rendezvous& rendezvous);
  // From a handler of between(): none is missing, and the answer is on its way.
  void met(std::size_t part, const Rendezvous& rendezvous);

  // Handles events until none is left. `look` is called now and then, on the caller's thread, and
  // may throw. Throws what the earliest handler that throws did.
  void run(base::ThreadPool& threads, const std::function<void()>& look = {});

  // What has been handled everywhere lies before it.
  [[nodiscard]] Ticks now() const;
  // The time of the last event.
  [[nodiscard]] Ticks end() const;
  [[nodiscard]] std::uint64_t handled() const;

 private:
  struct Question {
    Ticks time;
    Handler* to = nullptr;
    Message announced, message;
  };
  struct Part {
    Queue queue;
    std::deque<Question> asked;      // not yet between the parts; in order
    std::size_t announced = 0;       // of them
    std::vector<Rendezvous*> waits;  // of questions
    std::size_t open = 0;            // questions without an answer
    Ticks asks, answered, limit;     // of this round: it asks and is answered no earlier, stops
    std::exception_ptr failure;      // at queue.now(), where it stays
    [[nodiscard]] Ticks next() const { return failure ? queue.now() : queue.next(); }
    [[nodiscard]] bool is_ready() const {
      return !failure && !queue.empty() && queue.next() <= limit;
    }
    void run(std::uint64_t events_max);
  };

  // Of those whose questions are not yet between the parts, the first.
  [[nodiscard]] Part* first_asking();
  // When something happens between the parts, and its first event.
  [[nodiscard]] Ticks next_between();
  void step_between();
  // When parts ask and are answered at the earliest, for `between` as the next event between them.
  void look_ahead(Ticks between);
  // `others`: no answer to a question that waits for nobody comes before.
  [[nodiscard]] Ticks answered_from(std::size_t part, Ticks others);
  [[nodiscard]] Ticks answered_from(Rendezvous& rendezvous);
  // The parts that have something to do before anything can reach them.
  void find_ready(Ticks between);
  void run_ready(base::ThreadPool& threads);
  void announce();
  void throw_earliest() const;

  std::deque<Part> parts_;
  Queue between_;
  std::vector<Part*> ready_;
  std::uint64_t pass_ = 0;
};

}  // namespace trainyard::events
