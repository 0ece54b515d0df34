// Pass: norms of values whose dimensions were turned, as of heads that stand before tokens, are
// computed in the order in which the values lie, and turned behind; what is turned back is not
// turned at all.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void turn_behind_rows(graph::Module& module);

}  // namespace trainyard::compiler
