// Sorts by several keys: by the first one, where that is equal by the second one, and so on.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// They become stable sorts by one key each, the last key first, whose comparisons cost least. The
// key of a sort comes first among its operands.
void sort_by_one_key(graph::Module& module);

}  // namespace trainyard::compiler
