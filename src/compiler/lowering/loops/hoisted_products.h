// Products in a loop of a slice that its turn reads with weights that no turn changes, as recurrent
// layers have them: computed before the loop for all turns at once, where one turn has too few rows
// for the array.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void multiply_before_loops(graph::Module& module);

}  // namespace trainyard::compiler
