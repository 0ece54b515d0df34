// Pass: gives every SBUF and PSUM tensor an address, honours those the author chose, and rewrites
// all tiles to absolute addresses.
#pragma once

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Throws InputError: "sbuf.capacity" / "psum.capacity" with what was live, "memory.overlap" for
// live tensors that share bytes, "memory.address" for a manual address outside the memory or off
// its alignment.
void allocate(isa::Program& program, const machine::Core& core, bool allow_overlap);

}  // namespace trainyard::compiler
