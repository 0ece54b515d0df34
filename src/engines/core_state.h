// The memory of a simulated core: a state and a stack of the sizes the machine file gives, and the
// host's memory behind them. It runs nothing.
#pragma once

#include <memory>

#include "isa/core/program.h"
#include "machine/machine.h"
#include "state/core.h"

namespace trainyard::engines {

[[nodiscard]] state::CoreSizes sizes_of(const machine::Core& core);

// An empty stack of the machine's size. It costs no host memory until it is touched.
[[nodiscard]] std::shared_ptr<state::Hbm> make_stack(const machine::Machine& machine);

// Prepares the host's memory behind a core for a compiled program: large pages where it uses most.
void expect(const isa::Program& program, state::Core& core);

}  // namespace trainyard::engines
