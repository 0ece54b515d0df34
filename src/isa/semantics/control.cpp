#include "isa/semantics/control.h"

#include "numerics/alu.h"

namespace trainyard::isa {

LoopState enter_loop(const LoopBounds& loop, const Execution& execution) {
  if (loop.kind == LoopKind::while_nonzero) return {};
  return {read(loop.start, execution), read(loop.stop, execution)};
}

bool next_iteration(const LoopBounds& loop, LoopState& state, Execution& execution) {
  if (loop.kind == LoopKind::while_nonzero) return read_register(loop.counter, execution) != 0;
  if (state.next >= state.stop) return false;
  write_register(loop.counter, static_cast<std::int32_t>(state.next), execution);
  state.next += loop.step;
  return true;
}

bool is_taken(const Condition& condition, const Execution& execution) {
  return numerics::apply_int32(condition.op, read(condition.left, execution),
                               read(condition.right, execution)) != 0;
}

}  // namespace trainyard::isa
