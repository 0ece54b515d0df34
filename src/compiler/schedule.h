// Pass: the order in which instructions are issued. The author's order, or one that a list
// scheduler chose.
#pragma once

#include "compiler/compiler.h"
#include "isa/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Permutes program.instructions. Instructions inside hardware loops stay where they are.
void schedule(isa::Program& program, const machine::Core& core, Order order);

}  // namespace trainyard::compiler
