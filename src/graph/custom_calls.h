// The custom calls of AWS's compiler whose meaning is plain from their name, as operations.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

// Erf, Gelu, GeluApprxTanh and Silu become calls of functions that are added to the module; markers
// pass their operands on. Throws InputError "graph.custom_call" for the other targets that AWS
// publishes by name, but without what their operands and configuration mean. Others are left alone.
void expand_custom_calls(Module& module);

}  // namespace trainyard::graph
