// Pass: a product of operands whose batches were merged by reshapes, as jnp.matmul leaves out a
// batch of one and torch.bmm wants one batch, has the batches that its operands had before. What
// follows sees one form of attention.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void split_merged_batches(graph::Module& module);

}  // namespace trainyard::compiler
