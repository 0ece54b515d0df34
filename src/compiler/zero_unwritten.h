// Pass: a memset of zeros before the first use of every SBUF tensor that is not written whole by
// the first instruction that touches it (policy.unwritten = "zero"). A tensor that outlives a
// hardware loop in which it is first used is set before the loop.
#pragma once

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

void zero_unwritten(isa::Program& program, const machine::Core& core);

}  // namespace trainyard::compiler
