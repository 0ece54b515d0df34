// Reductions over dimensions with others between them, and broadcasts along such, go in two steps:
// the first is along rows, or down them, and reads all elements; the second has few. So the sums of
// a group norm are rows of [N, groups, C / groups], or columns of [H, W], and its gradient's of
// each channel are rows, too.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void sum_in_steps(graph::Module& module);

}  // namespace trainyard::compiler
