// Pass: elementwise values of few long rows (vectors: biases, what optimisers keep of them, states
// of recurrences) get rows enough for the partitions. A vector as it is would lie on one of them,
// and pass through one lane of an engine.
#pragma once

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// The last dimension of values that elementwise operations connect, those that loops hand on among
// them, becomes two where that is faster, with what reads or makes them in their own shape.
void spread_long_rows(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
