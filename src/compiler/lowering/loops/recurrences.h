// Loops of elementwise turns, without turns.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// A loop whose number of turns is known, and whose turns compute elementwise values, sums and moves
// of slices of stacked values, becomes operations on all turns at once. Its state may be counted,
// handed on, stacked by turn, added up, or multiplied and added to (a linear recurrence, which
// tensor_tensor_scan runs along a row; graph/linear_scan.h). Values that all turns have together
// have less than 1 GiB each. Where turns have products and need nothing of each other they stay:
// their author bounds memory by them.
void run_recurrences(graph::Module& module);

}  // namespace trainyard::compiler
