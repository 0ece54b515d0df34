// Programs that use everything a program can hold, from a seed: every instruction, tensors of every
// kind, run-time addresses, locations, edges and streams. They are well formed, not legal.
#pragma once

#include "isa/core/program.h"

namespace trainyard::isa {

[[nodiscard]] Program random_program(std::uint64_t seed);

}  // namespace trainyard::isa
