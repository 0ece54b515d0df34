// Pass: a scatter to one place, as `x.at[i].set(y)` is, becomes an update of a slice, where the
// place is known to lie inside: a loop that counts it says so, and tests of what is counted are
// decided. Elsewhere an update that would lie outside is left out, as scatters leave it out.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void update_one_place(graph::Module& module);

}  // namespace trainyard::compiler
