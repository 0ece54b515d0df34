// Pass: joins of short runs, as jnp.stack(..., -1) of vectors, jnp.repeat and pairs of coordinates
// are, get rows of many runs, which engines put beside each other on chip. Run by run each would be
// a transfer of its own.
#pragma once

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

void join_short_runs(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
