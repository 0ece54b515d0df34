// Sums of integers that stay small: counts, ranks in groups, masks that are added up.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Reductions and running sums of 32-bit integers, of which every partial sum is known to be a whole
// number that float32 holds, are done in float32, as engines add; no bit differs.
void sum_small_integers(graph::Module& module);

}  // namespace trainyard::compiler
