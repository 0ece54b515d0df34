// Where one engine stands in its stream, and since when: what a timed core keeps for each of its
// five sequencers. Plain state; who moves it on is engines/timed_core.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/error.h"
#include "engines/control_flow.h"
#include "engines/resolved_records.h"
#include "engines/time_account.h"
#include "isa/core/program.h"

namespace trainyard::engines {

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

struct Sequencer {
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

  Sequencer(isa::Engine e, const std::vector<isa::StreamItem>& s, ControlCursor c, TimeAccount a)
      : engine(e), stream(s), cursor(std::move(c)), account(a) {
    for (const isa::StreamItem& item : stream)
      commits_needed = std::max(commits_needed, item.depends_back);
  }

  // When the result is committed that the item needs.
  [[nodiscard]] base::Ticks operands_at(const isa::StreamItem& item) const {
    return item.depends_back == 0 ? base::Ticks{0} : commits.back(item.depends_back);
  }
  // The next item's result is committed now, or when those before it are.
  base::Ticks commit(base::Ticks at) {
    last_commit = std::max(last_commit, at);
    commits.push(last_commit);
    return last_commit;
  }
  // The position of its next item.
  [[nodiscard]] std::size_t at() const { return cursor.at(); }
  // The instruction it is at, or its last one.
  [[nodiscard]] std::uint32_t instruction() const {
    return stream[std::min(at(), stream.size() - 1)].instruction;
  }

  isa::Engine engine;
  const std::vector<isa::StreamItem>& stream;
  std::uint32_t commits_needed = 0;  // how far back an item of the stream depends

  ControlCursor cursor;
  State state = State::running;
  bool waits_taken = false;
  base::Ticks
      waits_checked;  // an instruction carries few waits; more take instructions of their own
  std::uint16_t waits_for = 0;  // the semaphore, while waiting
  base::Ticks free_at;          // the data path can take the next instruction
  base::Ticks last_commit;
  Commits commits;
  std::deque<Pending> pending;                           // to be applied, in order
  std::uint32_t met_slot = ResolvedRecords::in_program;  // the record of the barrier it waits at
  TimeAccount account;
};

}  // namespace trainyard::engines
