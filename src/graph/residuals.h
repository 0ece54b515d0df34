// What a loop keeps of each turn for a later one, as the gradient of jax.lax.scan reads what its
// forward turns have left.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

// Large values of a turn (the scores of attention) are computed again by the loop that reads them,
// from smaller ones of the same turn; what nobody reads then is no longer kept.
void recompute_residuals(Module& module);

// Whether an operation does more than compute its results, or may, as loops and calls.
[[nodiscard]] bool has_effect(const Op& op);

// Loops without what they hand on and nobody reads.
void drop_unread_carried(Function& function);

}  // namespace trainyard::graph
