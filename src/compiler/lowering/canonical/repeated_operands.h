// Pass: a batch of a product that one operand only repeats, as keys are for a group of queries or a
// weight that torch.bmm gets for each example, is a dimension of the other operand: the product
// then multiplies larger matrices, and reads what is repeated once.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void multiply_repeats_once(graph::Module& module);

}  // namespace trainyard::compiler
