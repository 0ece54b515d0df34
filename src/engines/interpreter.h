// The untimed runner of one core: it applies a program's instructions to a core's state and knows
// no clock. It is the reference for the values of a timed run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/control_cursor.h"
#include "engines/steps.h"
#include "engines/stream_walker.h"
#include "engines/watch.h"
#include "isa/core/program.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/meeting.h"
#include "isa/semantics/observer.h"

namespace trainyard::engines {

class Interpreter {
 public:
  // On-chip tensors must have addresses: the program is compiled, or its tiles are absolute.
  // Everything referred to must outlive the interpreter; `observer` may watch.
  Interpreter(const isa::Program& program, isa::Execution& execution,
              isa::Observer* observer = nullptr);

  // Runs the instructions in the author's order; a control instruction acts on every engine. Throws
  // Fault, and what `watch` throws. A grid of this core alone: see engines/grid.h.
  void run(const Watch& watch = {});

  // Where it stands after a step: before the next instruction, at one that meets other cores, or
  // behind the last.
  enum class Stand : std::uint8_t { between, meeting, end };
  // Runs the next instruction, unless it meets other cores; ahead, all that need no other core.
  Stand step(const Watch& watch = {});
  // Steps up to the end or to an instruction that meets other cores: true when it stands at one.
  [[nodiscard]] bool run_to_meeting(const Watch& watch = {});
  // Where it stands: one place in the author's order, ahead several. They stay as they are until
  // meet().
  [[nodiscard]] std::vector<isa::Attendant> attendants() const;
  // What it sends there.
  [[nodiscard]] isa::Message sends(const isa::Attendant& mine);
  // The other cores are there and have sent `received`: the instruction runs.
  void meet(const isa::Attendant& mine, std::span<const isa::Message> received,
            isa::SharedSum& sum);
  // The others are elsewhere: leaves the author's order for good, and lets each engine go on by
  // itself. False where it cannot, or has already.
  [[nodiscard]] bool go_ahead();

  // Instructions executed so far.
  [[nodiscard]] std::uint64_t executed() const { return steps_.applied(); }
  // No other core runs beside it, so that nothing but the program changes its memory.
  void runs_alone() { cursor_ = ControlCursor(steps_.program(), flow_, true); }

 private:
  void look(const Watch& watch) const;
  [[nodiscard]] std::string where() const;

  Steps steps_;
  std::vector<bool> dynamic_;         // by instruction
  std::vector<std::uint32_t> order_;  // the author's
  ControlFlow flow_;
  ControlCursor cursor_;  // in order_
  Issued met_;            // where it stands at a meeting
  std::optional<StreamWalker> ahead_;
  std::uint64_t expected_ = 0;
};

}  // namespace trainyard::engines
