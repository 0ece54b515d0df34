// Pass: every sequencer has registers of its own, so each register instruction becomes one copy for
// each engine that uses its result. Loops and branches stay single: every engine runs them.
#pragma once

#include "isa/core/program.h"

namespace trainyard::compiler {

// Engines of all other instructions must have been chosen.
void split_register_instructions(isa::Program& program);

}  // namespace trainyard::compiler
