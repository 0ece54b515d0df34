// Control flow of a list of instructions (a stream, or the author's order): where its loops go back
// to and its branches go on. A ControlCursor walks the list and holds the loops that are running:
// every runner goes from item to item by one. Which item runs next, and when, is the runner's
// policy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/state_visitor.h"
#include "engines/repetition.h"
#include "isa/core/program.h"
#include "isa/semantics/control.h"
#include "isa/semantics/observer.h"

namespace trainyard::engines {

class ControlFlow {
 public:
  // Of a list without loops and branches.
  ControlFlow() = default;
  // `instructions`: in the order of the list. `once`: loops that have one turn, and branches that
  // are not taken, whatever registers say.
  ControlFlow(const isa::Program& program, std::span<const std::uint32_t> instructions,
              std::span<const std::uint32_t> once = {});

  // Whether it goes from each to the next.
  [[nodiscard]] bool is_straight() const { return list_.empty(); }
  // Of a loop_begin: its loop_end. Of a loop_end: its loop_begin. Of a branch: where it goes. By
  // position.
  [[nodiscard]] std::size_t partner(std::size_t at) const { return partner_[at]; }
  [[nodiscard]] bool is_once(std::size_t at) const { return !once_.empty() && once_[at]; }
  // The instructions between two positions.
  [[nodiscard]] std::span<const std::uint32_t> between(std::size_t first, std::size_t last) const {
    return std::span(list_).subspan(first, last - first);
  }

 private:
  std::vector<std::uint32_t> list_, partner_;  // by position; empty without loops and branches
  std::vector<bool> once_;                     // by position; empty where none is
};

// A while loop that goes on for longer counts as endless. On the device an iteration takes about a
// microsecond.
inline constexpr std::int64_t while_iterations_max = std::int64_t{1} << 22;

// A place in a list of instructions. Its owner executes what is there.
class ControlCursor {
 public:
  // `alone`: the list holds all instructions that run, one after the other, and no other core runs.
  ControlCursor(const isa::Program& program, const ControlFlow& flow, bool alone = false)
      : program_(&program), flow_(&flow), alone_(alone) {}
  // At `at` of another list of the same program, inside the loops that `elsewhere` is in.
  ControlCursor(const ControlFlow& flow, const ControlCursor& elsewhere, std::size_t at)
      : ControlCursor(elsewhere) {
    flow_ = &flow;
    at_ = at;
  }

  // The position of the next item; that behind the last one at the end.
  [[nodiscard]] std::size_t at() const { return at_; }
  void pass() { ++at_; }
  // Goes where the control instruction leads that was passed and has run; usually it stays.
  // execution.engine says whose registers count, and `observer`, which may be null, is told of
  // items left out. Returns their number. Throws Fault "run.endless".
  std::size_t follow(std::uint32_t instruction, isa::Execution& execution, isa::Observer* observer);

  [[nodiscard]] bool in_loop() const { return !loops_.empty(); }
  // The loop that runs at this depth, 0 the outermost.
  [[nodiscard]] isa::LoopState& loop(std::size_t depth) { return loops_[depth].state; }
  [[nodiscard]] const isa::LoopState& loop(std::size_t depth) const { return loops_[depth].state; }
  // Shows the loops that run; that at `depth` as seen from the count `from`.
  void show(base::StateVisitor& visitor, std::size_t depth, std::int64_t from) const;
  // An instruction with its place, and the turns of the loops that are running:
  // "nc_matmul at k.py:12, turn 3 of 8 of the loop at k.py:10".
  [[nodiscard]] std::string describe(std::uint32_t instruction) const;

 private:
  const isa::Program* program_;
  const ControlFlow* flow_;
  bool alone_;
  std::size_t at_ = 0;
  struct Running {
    std::uint32_t begin = 0;  // the loop_begin
    isa::LoopState state{};
    std::int64_t turns = 0;      // that have begun
    std::int64_t turns_all = 0;  // of a counted loop
    bool is_once = false;
    std::optional<Repetition> repetition{};
  };
  [[nodiscard]] isa::LoopBounds bounds_of(std::uint32_t begin) const;
  [[nodiscard]] Running enter(std::size_t at, std::uint32_t begin,
                              const isa::Execution& execution) const;
  // Whether the innermost loop goes on. Throws Fault "run.endless" when a while loop never ends, or
  // has gone on for too long.
  [[nodiscard]] bool goes_on(isa::Execution& execution);
  // The position behind the control instruction at `at` of the list.
  [[nodiscard]] std::size_t after(std::size_t at, std::uint32_t instruction,
                                  isa::Execution& execution);
  [[noreturn]] void report_endless(const std::string& found) const;

  std::vector<Running> loops_;  // outermost first
};

// Of a compiled program's streams, by engine.
[[nodiscard]] std::vector<ControlFlow> flows_of_streams(const isa::Program& program,
                                                        std::span<const std::uint32_t> once = {});
// The stream of an engine, or all instructions, as a list for a ControlFlow.
[[nodiscard]] std::vector<std::uint32_t> instructions_of(
    const std::vector<isa::StreamItem>& stream);
[[nodiscard]] std::vector<std::uint32_t> authors_order(const isa::Program& program);

// How many instructions run on the way through a list, if no branch leaves any out; 0 where a
// loop's turns are known only at run time.
[[nodiscard]] std::uint64_t expected_steps(const isa::Program& program,
                                           std::span<const std::uint32_t> list);
// The same of a compiled program's streams together.
[[nodiscard]] std::uint64_t expected_steps(const isa::Program& program);

}  // namespace trainyard::engines
