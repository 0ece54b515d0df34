// Control flow of a list of instructions (a stream, or the author's order): where its loops go back
// to and its branches go on. A ControlCursor follows it and holds the loops that are running.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/state_visitor.h"
#include "isa/core/program.h"
#include "isa/semantics/control.h"

namespace trainyard::engines {

class ControlFlow {
 public:
  // `instructions`: in the order of the list.
  ControlFlow(const isa::Program& program, std::span<const std::uint32_t> instructions);

  // Of a loop_begin: its loop_end. Of a loop_end: its loop_begin. Of a branch: where it goes. By
  // position.
  [[nodiscard]] std::size_t partner(std::size_t at) const { return partner_[at]; }

 private:
  std::vector<std::uint32_t> partner_;  // by position; empty where nothing flows
};

// A while loop that goes on for longer counts as endless. On the device an iteration takes about a
// microsecond.
inline constexpr std::int64_t while_iterations_max = std::int64_t{1} << 22;

// Follows the control flow. Its owner executes the instructions in between.
class ControlCursor {
 public:
  ControlCursor(const isa::Program& program, const ControlFlow& flow)
      : program_(&program), flow_(&flow) {}
  // Of another list of the same program, inside the loops that `elsewhere` is in.
  ControlCursor(const ControlFlow& flow, const ControlCursor& elsewhere)
      : ControlCursor(elsewhere) {
    flow_ = &flow;
  }

  // Where to go on after the control instruction `instruction` at position `at` of the list;
  // usually the next position. execution.engine says whose registers count. Throws Fault
  // "run.endless".
  [[nodiscard]] std::size_t after(std::size_t at, std::uint32_t instruction,
                                  isa::Execution& execution);

  // The loop that runs at this depth, 0 the outermost.
  [[nodiscard]] isa::LoopState& loop(std::size_t depth) { return loops_[depth].state; }
  [[nodiscard]] const isa::LoopState& loop(std::size_t depth) const { return loops_[depth].state; }
  // Shows the loops that run; that at `depth` as seen from the count `from`.
  void show(base::StateVisitor& visitor, std::size_t depth, std::int64_t from) const;

 private:
  const isa::Program* program_;
  const ControlFlow* flow_;
  struct Running {
    isa::LoopState state;
    std::int64_t iterations = 0;
  };
  [[nodiscard]] isa::LoopBounds bounds_of(std::uint32_t begin) const;
  // Whether a loop goes on. Throws Fault "run.endless" when a while loop has done so for too long.
  [[nodiscard]] bool goes_on(std::uint32_t begin, isa::Execution& execution);

  std::vector<Running> loops_;  // outermost first
};

// The stream of an engine, or all instructions, as a list for a ControlFlow.
[[nodiscard]] std::vector<std::uint32_t> instructions_of(
    const std::vector<isa::StreamItem>& stream);
[[nodiscard]] std::vector<std::uint32_t> authors_order(const isa::Program& program);

}  // namespace trainyard::engines
