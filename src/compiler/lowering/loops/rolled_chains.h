// Recurrences that are written out step by step, as Python's loops and scan's unroll=True leave
// them, as loops.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Operations without products that do the same several times, each time with what the time before
// has left and with the next row of values that all read, become a loop, where run_recurrences
// leaves no loop of it. What the steps have left and others join is what the loop stacks.
void roll_chains(graph::Module& module);

}  // namespace trainyard::compiler
