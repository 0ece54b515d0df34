// Runs the streams of one core's engines side by side, without a clock: the engines wait for
// semaphores as in a timed run. Which engine goes on, and when a transfer completes, is a policy:
// each as far as it can, or any of them by a seed. What meets other cores is posted.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "engines/control_cursor.h"
#include "engines/deadlock.h"
#include "engines/semaphores.h"
#include "engines/steps.h"
#include "isa/core/program.h"
#include "isa/semantics/observer.h"

namespace trainyard::engines {

class StreamWalker {
 public:
  // A stream item that has been issued: a transfer under way, or an instruction that stands where
  // it meets other cores.
  struct Post {
    Issued issued;
    const isa::StreamItem* item = nullptr;
  };

  // Whether a core that stands at instruction `at` of the author's order, all before it complete,
  // can go on this way: its streams are in that order, and no branch has left anything out.
  [[nodiscard]] static bool can_begin(const isa::Program& program, std::uint32_t at);

  // From the begin of the streams, of which the observer of the steps is told. Everything referred
  // to must outlive this. `dynamic`: by instruction.
  StreamWalker(Steps& steps, const std::vector<bool>& dynamic);
  // From instruction `at` on; `loops`: where the run through the author's order stands. Then
  // nobody is told of streams.
  StreamWalker(Steps& steps, const std::vector<bool>& dynamic, std::uint32_t at,
               const ControlCursor& loops);

  // Each engine as far as it can, one after the other, transfers at once: until all wait for other
  // cores or have ended. Calls `applied` after each instruction. Throws Fault "run.deadlock" when
  // engines wait for each other only.
  void go_on(const std::function<void()>& applied);
  // To the end in an order that `seed` chooses: each step lets an engine run its next instruction,
  // or completes the oldest transfer of a DMA queue. Tests compare it with the other runners, since
  // any order that the semaphores allow gives the same values (tests/engines/interleaved.h). Throws
  // Fault "run.deadlock". No instruction may meet other cores.
  void go_on_by(std::uint64_t seed);

  [[nodiscard]] bool ended() const;
  // The first post of each queue, and those that hold their engines.
  [[nodiscard]] std::vector<Post> first_posts() const;
  // The post whose record this is has met its counterparts: it runs.
  void meet(const void* record);

 private:
  // The engine's next item; transfers are applied at once, or wait in their queue.
  void step(std::size_t engine, bool applies_transfers);
  // Runs it, and its signals go out.
  void complete(const Post& post);
  [[nodiscard]] bool is_at_end(std::size_t engine) const {
    return cursors_[engine].at() == program_.streams[engine].size();
  }
  [[nodiscard]] const isa::StreamItem& item(std::size_t engine) const {
    return program_.streams[engine][cursors_[engine].at()];
  }
  [[nodiscard]] bool can_go_on(std::size_t engine) const;
  [[nodiscard]] std::vector<Stuck> stuck() const;

  Steps& steps_;
  const isa::Program& program_;
  const std::vector<bool>& dynamic_;
  isa::Observer* observer_;  // who is told of streams; may be null
  Semaphores semaphores_;
  std::vector<ControlFlow> flows_;  // by engine
  std::vector<ControlCursor> cursors_;
  std::array<bool, isa::engine_count> held_{};  // by a barrier
  std::array<std::deque<Post>, isa::queue_count> transfers_{};
  std::vector<Post> posts_;  // in their order
};

}  // namespace trainyard::engines
