// Pass: products of very many very small matrices (rotations, covariances, Jacobians) become
// multiplications and additions of vectors that have an element of each: the array takes as long to
// begin with one of them as with a large one.
#pragma once

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

void multiply_small_matrices(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
