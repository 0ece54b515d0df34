// The custom calls of AWS's compiler whose operands and meaning are published, as operations.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

// Fifteen targets (activations and their derivatives, softmax, RMSNorm, argmax, top-k, resizes)
// become calls of functions that are added to the module (custom_calls/); markers pass their
// operands on. Throws InputError "graph.custom_call" for operands that do not fit, and for the
// targets that AWS publishes by name, but without what their operands and configuration mean.
// Others are left alone.
void expand_custom_calls(Module& module);

}  // namespace trainyard::graph
