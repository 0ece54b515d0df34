// Sums over devices that turns of a loop only put away, as a scan over layers does with gradients.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

// What turns put into a part of their own of a value that begins as zeros, or add to it, is summed
// over the devices once, behind the loop.
void hoist_sums(Function& function);

}  // namespace trainyard::graph
