// Where the random bits of stochastic rounding begin.
#pragma once

#include <cstdint>

#include "state/core.h"

namespace trainyard::isa {

// Every lane of every engine begins there, as one does by itself with the policy's seed. Seed 0
// is a seed like the others.
void seed_rounding(state::Core& core, std::uint32_t seed);

}  // namespace trainyard::isa
