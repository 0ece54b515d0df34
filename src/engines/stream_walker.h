// Runs the streams of one core's engines side by side, without a clock: the engines wait for
// semaphores as in a timed run, until all wait for other cores or have ended. What meets others
// by a queue is posted there, and its engine goes on. For cores that come to their meetings in
// different orders, which the author's order alone would not let pass each other.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engines/control_flow.h"
#include "engines/decoded.h"
#include "engines/semaphores.h"
#include "isa/core/program.h"
#include "isa/semantics/execution.h"

namespace trainyard::engines {

class StreamWalker {
 public:
  // How an instruction runs on an engine.
  using Run = std::function<void(std::uint32_t instruction, isa::Engine engine)>;

  // An instruction that stands where it meets other cores.
  struct Post {
    std::uint32_t instruction = 0;
    isa::Engine engine = isa::Engine::any;
    const isa::StreamItem* item = nullptr;
    const void* record = nullptr;  // with its run-time addresses resolved
    std::unique_ptr<RecordBuffer> buffer{};
  };

  // Whether a core that stands at instruction `at` of the author's order, all before it complete,
  // can go on this way: its streams are in that order, and no branch has left anything out.
  [[nodiscard]] static bool can_begin(const isa::Program& program, std::uint32_t at);
  // `loops`: where the run through the author's order stands. Everything referred to must outlive
  // this.
  StreamWalker(const isa::Program& program, isa::Execution& execution,
               const std::vector<Decoded>& decoded, std::uint32_t at, const ControlCursor& loops);

  // Throws Fault "run.deadlock" when engines wait for each other only.
  void go_on(const Run& run);
  [[nodiscard]] bool ended() const;
  // The first post of each queue, and those that hold their engines.
  [[nodiscard]] std::vector<const Post*> first_posts() const;
  // A post has met its counterparts, and has run.
  void leave(const Post& post);

 private:
  [[nodiscard]] bool step(std::size_t engine, const Run& run);
  void post(std::size_t engine, const isa::StreamItem& item);

  const isa::Program& program_;
  isa::Execution& execution_;
  const std::vector<Decoded>& decoded_;
  Semaphores semaphores_;
  std::vector<ControlFlow> flows_;  // by engine
  std::vector<ControlCursor> cursors_;
  std::array<std::size_t, isa::engine_count> at_{};
  std::array<bool, isa::engine_count> held_{};  // by a barrier
  std::vector<std::unique_ptr<Post>> posts_;    // in their order
};

}  // namespace trainyard::engines
