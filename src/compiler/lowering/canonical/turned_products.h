// Pass: a product of which only the transpose is read, as gradients of weights are, is computed
// transposed, with its operands exchanged: what follows is then computed with it.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void turn_products(graph::Module& module);

}  // namespace trainyard::compiler
