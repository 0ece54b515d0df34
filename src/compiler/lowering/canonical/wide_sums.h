// Sums and products of formats narrower than float32 that engines would round after each step:
// those under windows, scattered to windows' elements, or of several values at once.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// They are computed in float32 and rounded once, as XLA and the evaluator do. Reductions of one
// value, running sums and scatters accumulate in float32 as they are lowered.
void widen_sums(graph::Module& module);

}  // namespace trainyard::compiler
