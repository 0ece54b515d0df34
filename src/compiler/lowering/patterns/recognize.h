// Finds functions that engines have an instruction for where a framework spelled them out: gelu,
// silu and its gradient, softplus and the logistic function. Arithmetic on words is written as
// engines do it best (words.h).
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Each of them becomes one composite. What only they needed stays.
void recognize_functions(graph::Module& module);

// Takes out arithmetic that nothing reads.
void drop_unread(graph::Module& module);

}  // namespace trainyard::compiler
