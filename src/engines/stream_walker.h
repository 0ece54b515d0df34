// Runs the streams of one core's engines side by side, without a clock: the engines wait for
// semaphores as in a timed run. Which engine goes on, and when a transfer completes, is a policy:
// each as far as it can, or any of them by a seed. What meets other cores is posted.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "engines/control_flow.h"
#include "engines/deadlock.h"
#include "engines/decoded.h"
#include "engines/semaphores.h"
#include "isa/core/program.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/observer.h"

namespace trainyard::engines {

class StreamWalker {
 public:
  // How an instruction runs on an engine. `record` has its run-time addresses resolved.
  using Apply =
      std::function<void(std::uint32_t instruction, isa::Engine engine, const void* record)>;

  // A stream item that has been issued: a transfer under way, or an instruction that stands where
  // it meets other cores.
  struct Issued {
    std::uint32_t instruction = 0;
    isa::Engine engine = isa::Engine::any;
    const isa::StreamItem* item = nullptr;
    const void* record = nullptr;  // with its run-time addresses resolved
    std::unique_ptr<RecordBuffer> buffer{};
  };

  // Whether a core that stands at instruction `at` of the author's order, all before it complete,
  // can go on this way: its streams are in that order, and no branch has left anything out.
  [[nodiscard]] static bool can_begin(const isa::Program& program, std::uint32_t at);

  // From the begin of the streams; `observer` may watch. Everything referred to must outlive this.
  StreamWalker(const isa::Program& program, isa::Execution& execution,
               const std::vector<Decoded>& decoded, isa::Observer* observer = nullptr);
  // From instruction `at` on; `loops`: where the run through the author's order stands.
  StreamWalker(const isa::Program& program, isa::Execution& execution,
               const std::vector<Decoded>& decoded, std::uint32_t at, const ControlCursor& loops);

  // Each engine as far as it can, one after the other, transfers at once: until all wait for other
  // cores or have ended. Throws Fault "run.deadlock" when engines wait for each other only.
  void go_on(const Apply& apply);
  // To the end in an order that `seed` chooses: each step lets an engine run its next instruction,
  // or completes the oldest transfer of a DMA queue. Throws Fault "run.deadlock". No instruction
  // may meet other cores.
  void go_on_by(std::uint64_t seed, const Apply& apply);

  [[nodiscard]] bool ended() const;
  // The first post of each queue, and those that hold their engines.
  [[nodiscard]] std::vector<const Issued*> first_posts() const;
  // A post has met its counterparts, and has run.
  void leave(const Issued& post);

 private:
  // The engine's next item; transfers are applied at once, or wait in their queue.
  void step(std::size_t engine, bool applies_transfers, const Apply& apply);
  void complete(std::size_t queue, const Apply& apply);
  void signal(isa::Engine engine, const isa::StreamItem& item);
  [[nodiscard]] bool is_at_end(std::size_t engine) const {
    return cursors_[engine].at() == program_.streams[engine].size();
  }
  [[nodiscard]] const isa::StreamItem& item(std::size_t engine) const {
    return program_.streams[engine][cursors_[engine].at()];
  }
  [[nodiscard]] bool can_go_on(std::size_t engine) const;
  [[nodiscard]] Issued issue(std::size_t engine, const isa::StreamItem& item) const;
  [[nodiscard]] std::vector<Stuck> stuck() const;

  const isa::Program& program_;
  isa::Execution& execution_;
  const std::vector<Decoded>& decoded_;
  isa::Observer* observer_ = nullptr;
  Semaphores semaphores_;
  std::vector<ControlFlow> flows_;  // by engine
  std::vector<ControlCursor> cursors_;
  std::array<bool, isa::engine_count> held_{};  // by a barrier
  std::array<std::deque<Issued>, isa::queue_count> transfers_{};
  std::vector<std::unique_ptr<Issued>> posts_;  // in their order
};

}  // namespace trainyard::engines
