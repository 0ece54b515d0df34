// Pass: the order in which instructions are issued. The author's order, changed only where an
// explicit edge asks for it, or one that a list scheduler chose.
#pragma once

#include "compiler/compiler.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Permutes program.instructions within stretches without loops and branches, in loops too.
// Tensors at addresses chosen by hand that share bytes take their turns as the author wrote them.
// Throws InputError "schedule.cycle" when explicit edges contradict the data dependences.
// `percent`: of SBUF, which a new order may fill; what is left is for fragmentation.
// `written_in_parts`, `issuers_open`: as in Options.
void schedule(isa::Program& program, const machine::Core& core, Order order,
              std::int64_t percent = 100, bool written_in_parts = false, bool issuers_open = false);

}  // namespace trainyard::compiler
