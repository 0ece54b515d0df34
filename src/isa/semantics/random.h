// The engines' random generators as the instructions use them: words for a row of one lane. State
// lives in state::Core and persists between instructions.
#pragma once

#include <cstdint>
#include <span>

#include "isa/semantics/execution.h"

namespace trainyard::isa::random {

// Fills `words` from the generator of lane `lane` of Vector (XORWOW on gen4, an LFSR before) or of
// GpSimd. A lane that was never seeded starts as if seeded with 0 (assumed; nothing is published
// about the state after a reset).
void fill(Engine engine, int lane, std::span<std::uint32_t> words, Execution& execution);

// What set_rng_seed does: seeds every lane of Vector.
void seed(std::uint32_t seed, Execution& execution);

// The words that rand_set_state and rand_get_state move for one lane: 24 on Vector, 6 on GpSimd.
[[nodiscard]] std::span<std::uint32_t> state(Engine engine, int lane, Execution& execution);

}  // namespace trainyard::isa::random
