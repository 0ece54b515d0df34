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
#include "engines/control_cursor.h"
#include "engines/steps.h"
#include "engines/time_account.h"
#include "isa/core/program.h"

namespace trainyard::engines {

// When the last results of an engine were committed, for those that need one of them.
class Commits {
 public:
  void push(base::Ticks at) { times_[count_++ % size] = at; }
  // The result of the item `back` items ago; in the first turn of a loop there may be none. Items
  // commit in order, so one that is no longer kept is committed before the oldest that is.
  [[nodiscard]] base::Ticks back(std::uint32_t distance) const {
    if (distance > count_) return {};
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
  enum class Phase : std::uint8_t {
    running,
    waiting_semaphore,
    waiting_queue,
    waiting_peer,
    ended
  };
  struct Spec {
    isa::Engine engine;
    const std::vector<isa::StreamItem>& stream;
    std::uint32_t commits_needed = 0;  // how far back an item of the stream depends
  };
  struct State {
    ControlCursor cursor;
    Phase phase = Phase::running;
    bool waits_taken = false;
    // An instruction carries few waits; more take instructions of their own.
    base::Ticks waits_checked{};
    std::uint16_t waits_for = 0;  // the semaphore, while waiting
    base::Ticks free_at{};        // the data path can take the next instruction
    base::Ticks last_commit{};
    Commits commits{};
    std::deque<Issued> pending{};  // to be applied, in order
    Issued barrier{};              // that it waits at
  };

  Sequencer(isa::Engine engine, const std::vector<isa::StreamItem>& stream, ControlCursor cursor,
            TimeAccount a)
      : spec{engine, stream, farthest(stream)}, state{std::move(cursor)}, account(a) {}

  // When the result is committed that the item needs.
  [[nodiscard]] base::Ticks operands_at(const isa::StreamItem& item) const {
    return item.depends_back == 0 ? base::Ticks{0} : state.commits.back(item.depends_back);
  }
  // The next item's result is committed now, or when those before it are.
  base::Ticks commit(base::Ticks at) {
    state.last_commit = std::max(state.last_commit, at);
    state.commits.push(state.last_commit);
    return state.last_commit;
  }
  // The position of its next item.
  [[nodiscard]] std::size_t at() const { return state.cursor.at(); }
  // The instruction it is at, or its last one.
  [[nodiscard]] std::uint32_t instruction() const {
    return spec.stream[std::min(at(), spec.stream.size() - 1)].instruction;
  }

  Spec spec;
  State state;
  TimeAccount account;

 private:
  [[nodiscard]] static std::uint32_t farthest(const std::vector<isa::StreamItem>& stream) {
    std::uint32_t most = 0;
    for (const isa::StreamItem& item : stream) most = std::max(most, item.depends_back);
    return most;
  }
};

}  // namespace trainyard::engines
