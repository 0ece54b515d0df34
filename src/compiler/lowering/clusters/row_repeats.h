// What a cluster of rows computes twice, as a written softmax and its gradient do.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Is computed once, where rows are so short that a value more has room on chip.
void compute_rows_once(graph::Module& module);

}  // namespace trainyard::compiler
