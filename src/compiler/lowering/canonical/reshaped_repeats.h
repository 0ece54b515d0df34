// Pass: a value that repeats another one and is then reshaped, as heads that share keys are split
// into chunks, is the other one reshaped, then repeated: products see what repeats.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void reshape_before_repeats(graph::Module& module);

}  // namespace trainyard::compiler
