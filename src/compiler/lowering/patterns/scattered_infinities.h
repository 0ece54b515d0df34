// Scatter-adds are products with ones and zeros, in which an update that is not finite spreads to
// its whole column. Where the program itself writes an infinity or a NaN into the updates, as
// `.at[i].set(-inf)` and its gradient do, the finite ones are added, and what is not finite is
// counted by a scatter of its own.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void count_scattered_infinities(graph::Module& module);

}  // namespace trainyard::compiler
