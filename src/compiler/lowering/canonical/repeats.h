// Finds operations that compute what an earlier one has computed: JAX writes the angles of a rotary
// embedding out again in every layer.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Each of them is computed once.
void remove_repeats(graph::Module& module);

}  // namespace trainyard::compiler
