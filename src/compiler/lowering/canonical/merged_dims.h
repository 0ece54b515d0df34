// Pass: dimensions that reshapes merge stay apart where products read them, so that what follows
// sees one form of attention. Heads that are repeated for a group of queries (repeat_kv) are merged
// with what repeats them: up to what else reads them, they are two dimensions, of which one is
// read again and again. A product of operands whose batches were merged alike, as jnp.matmul leaves
// out a batch of one and torch.bmm wants one batch, has the batches that they had before.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void split_merged_dims(graph::Module& module);

}  // namespace trainyard::compiler
