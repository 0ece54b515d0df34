// Checks that read a compiled program and need no values: what is stored in vain, transfers and
// instructions that leave most of the machine unused. They refuse nothing.
#pragma once

#include "checkers/finding.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::lint {

// All of them. The program is compiled for the machine.
void inspect(const isa::Program& program, const machine::Core& core, checkers::Findings& findings);

// Stores that nothing reads, and sources that lie under a destination.
void inspect_stores(const isa::Program& program, checkers::Findings& findings);
// Transfers that are small, scattered, repeated or in vain.
void inspect_transfers(const isa::Program& program, const machine::Core& core,
                       checkers::Findings& findings);
// How the tensor engine's array and the PSUM banks are used.
void inspect_matmuls(const isa::Program& program, const machine::Core& core,
                     checkers::Findings& findings);
// Instructions of the other engines that are too small, or that repeat one element.
void inspect_sizes(const isa::Program& program, const machine::Core& core,
                   checkers::Findings& findings);
// Instructions of which silicon is reported to do otherwise than documented.
void inspect_silicon(const isa::Program& program, checkers::Findings& findings);

}  // namespace trainyard::lint
