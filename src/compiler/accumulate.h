// Pass: decides for every matmul that leaves it open whether it overwrites PSUM or adds to it: the
// first write to an element overwrites, later ones add (nki.isa.nc_matmul, accumulate=None). A
// matmul that finds its destination written in part adds, behind a psum_zero of the other part; so
// does one that is the first to write a tensor in a hardware loop that the tensor outlives, behind
// a psum_zero before the loop.
#pragma once

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

void resolve_accumulation(isa::Program& program, const machine::Core& core);

}  // namespace trainyard::compiler
