// Pass: of what turns of loops compute whole, as masks and repeated heads that compute_in_loops
// puts there, and read one slice of, that slice alone is computed.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Values that only slices at places known as the program runs are read of, made of other values
// element by element, repeated, turned or reshaped.
void slice_in_turns(graph::Module& module);

}  // namespace trainyard::compiler
