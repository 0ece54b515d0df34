// What a timed core keeps for each sequencer and each transfer; for the files of TimedCore only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/error.h"
#include "engines/timed_core.h"

namespace trainyard::engines {

inline constexpr std::uint32_t in_program = 0xFFFFFFFFu;  // a record without run-time addresses
inline constexpr std::uint32_t no_one = 0xFFFFFFFFu;

// When the last results of an engine were committed, for those that need one of them.
class Commits {
 public:
  void push(base::Ticks at) { times_[count_++ % size] = at; }
  // The result of the item `back` items ago. Items commit in order, so one that is no longer kept
  // is committed before the oldest that is.
  [[nodiscard]] base::Ticks back(std::uint32_t distance) const {
    base::check(distance <= count_, "an item depends on one of its own stream");
    return times_[(count_ - std::min<std::uint64_t>(distance, size)) % size];
  }

  // Shows the last `count` of them; those before `floor` are alike.
  void show(base::StateVisitor& visitor, std::uint64_t count, base::Ticks floor) {
    for (std::uint64_t back = 1; back <= std::min({count, count_, size}); ++back)
      visitor.past(times_[(count_ - back) % size], floor);
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  static constexpr std::uint64_t size = 1024;
  std::array<base::Ticks, size> times_{};
  std::uint64_t count_ = 0;
};

inline std::uint32_t message_of(std::uint32_t what, isa::Engine engine) {
  return what | static_cast<std::uint32_t>(engine) << 8;
}

struct TimedCore::Unit {
  enum class State : std::uint8_t {
    running,
    waiting_semaphore,
    waiting_queue,
    waiting_peer,
    ended
  };
  struct Pending {
    std::uint32_t instruction;
    std::uint32_t slot;
  };

  Unit(isa::Engine e, const std::vector<isa::StreamItem>& s, ControlCursor w, TimeAccount a)
      : engine(e), stream(s), cursor(std::move(w)), account(a) {}

  isa::Engine engine;
  const std::vector<isa::StreamItem>& stream;
  std::size_t at = 0;
  ControlCursor cursor;
  State state = State::running;
  bool waits_taken = false;
  base::Ticks
      waits_checked;  // an instruction carries few waits; more take instructions of their own
  std::uint16_t waits_for = 0;  // the semaphore, while waiting
  base::Ticks free_at;          // the data path can take the next instruction
  base::Ticks last_commit;
  Commits commits;
  std::uint32_t commits_needed = 0;     // how far back an item of the stream depends
  std::deque<Pending> pending;          // to be applied, in order
  std::uint32_t met_slot = in_program;  // the record of the barrier it waits at
  TimeAccount account;
};

struct TimedCore::Flight {
  const isa::StreamItem* item = nullptr;
  isa::Engine issuer = isa::Engine::any;
  std::size_t position = 0;
  std::uint32_t slot = in_program;
  std::uint32_t iteration = 0;
  const isa::InstructionInfo* exchange = nullptr;  // of one between cores
  bool waits = false;                              // for others
  base::Ticks posted;
  CollectiveWork left;  // of a collective
  isa::Message outgoing{};
};

// The collectives of one channel that have been posted, in order; the first is under way.
struct TimedCore::Line {
  std::deque<std::uint32_t> flights;
  TimeAccount account;
};

}  // namespace trainyard::engines
