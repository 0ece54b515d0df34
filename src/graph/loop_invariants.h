// Loops whose turns hand on, unchanged, what costs less to compute than to keep: masks, broadcasts
// and numbered elements, as jax.checkpoint and jax.lax.scan put them before a loop.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

// Such values are computed in each turn, from constants and from values that are much smaller,
// instead of being carried.
void compute_in_loops(Module& module);

}  // namespace trainyard::graph
