#include "isa/semantics/control.h"

#include "numerics/alu.h"

namespace trainyard::isa {

LoopState enter_loop(const LoopBegin& loop, const Execution& execution) {
  if (loop.kind == LoopKind::while_nonzero) return {};
  return {read(loop.start, execution), read(loop.stop, execution)};
}

bool next_iteration(const LoopBegin& loop, LoopState& state, Execution& execution) {
  if (loop.kind == LoopKind::while_nonzero) return read_register(loop.counter, execution) != 0;
  if (state.next >= state.stop) return false;
  write_register(loop.counter, static_cast<std::int32_t>(state.next), execution);
  state.next += loop.step;
  return true;
}

bool is_taken(const Branch& branch, const Execution& execution) {
  return numerics::apply_int32(branch.op, read(branch.left, execution),
                               read(branch.right, execution)) != 0;
}

}  // namespace trainyard::isa
