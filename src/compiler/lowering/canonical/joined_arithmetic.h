// Many small values that are joined, as jnp.stack of what a Python loop computed.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Joins along the dimension of a join that alone reads them are part of it, as jnp.concatenate
// makes them of more than 16 arrays.
void join_at_once(graph::Module& module);

// Where the same elementwise operation makes each part of a join of many small ones, it is applied
// once, to the joined operands. Joins of all the slices of a value are that value.
void join_before_arithmetic(graph::Module& module);

}  // namespace trainyard::compiler
