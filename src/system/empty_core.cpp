#include "system/empty_core.h"

#include <utility>

#include "engines/core_state.h"

namespace trainyard::system {

EmptyCore::EmptyCore(const isa::Program& program, const machine::Machine& machine,
                     std::shared_ptr<state::Hbm> stack)
    : core(engines::sizes_of(machine.core), std::move(stack)),
      nowhere(program.tensors.size(), 0),
      execution{.core = core, .program = program, .hbm_base = nowhere, .machine = machine.core} {}

}  // namespace trainyard::system
