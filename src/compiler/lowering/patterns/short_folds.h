// Pass: reductions of several values together over few elements, as argmax over a dimension of
// three, become what their region says, element after element, on whole arrays.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void write_short_folds_out(graph::Module& module);

}  // namespace trainyard::compiler
