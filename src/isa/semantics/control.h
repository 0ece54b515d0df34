// How a sequencer follows loops and branches: the meaning of loop_begin, loop_end and branch, apart
// from time. Streams hold these instructions on every engine that runs something inside them.
#pragma once

#include "isa/semantics/execution.h"

namespace trainyard::isa {

// A hardware loop that is running. The count is the loop's own: what the body writes to the counter
// register does not change it (nki.language.fori_loop).
struct LoopState {
  std::int64_t next = 0;  // the count of the coming iteration
  std::int64_t stop = 0;
};

// Reads the bounds, once, when the sequencer of execution.engine meets the loop_begin.
[[nodiscard]] LoopState enter_loop(const LoopBounds& loop, const Execution& execution);
// Starts the coming iteration and writes its count to the counter register; false when the loop is
// over. Called at the loop_begin and again at the loop_end.
[[nodiscard]] bool next_iteration(const LoopBounds& loop, LoopState& state, Execution& execution);

// True when the branch goes to its target.
[[nodiscard]] bool is_taken(const Condition& condition, const Execution& execution);

}  // namespace trainyard::isa
