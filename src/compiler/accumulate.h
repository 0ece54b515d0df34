// Pass: decides for every matmul that leaves it open whether it overwrites PSUM or adds to it: the
// first write to a place overwrites, later ones add (nki.isa.nc_matmul, accumulate=None).
#pragma once

#include "isa/program.h"

namespace trainyard::compiler {

// Throws Fault unimplemented where one matmul would have to overwrite some of its elements and add
// to others.
void resolve_accumulation(isa::Program& program);

}  // namespace trainyard::compiler
