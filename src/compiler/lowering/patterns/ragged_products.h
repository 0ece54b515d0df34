// Products of groups of rows, each group with a matrix of its own (jax.lax.ragged_dot, the experts
// of a routed layer). JAX writes them out as one product with every matrix, of rows masked by
// group; here rows are set apart in blocks of one group each, and a block is multiplied with the
// matrix of its group alone. A matrix that is not finite no longer reaches the rows of other
// groups.
#pragma once

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

void multiply_groups_apart(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
