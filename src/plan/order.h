// In which order a device computes around its collectives: what does not need the values that are
// on their way is computed meanwhile.
#pragma once

#include "graph/module.h"

namespace trainyard::plan {

// Where the next operation waits for a collective, what a later collective needs and does not have
// to wait as long goes first, so that values of that one are on their way, too. A large sum of
// which each device keeps a part is made right behind its operand, which then takes no room any
// more. Loops and branches that contain collectives are ordered inside.
void order_around_collectives(const graph::Module& module, const graph::Function& function,
                              graph::Region& region);

}  // namespace trainyard::plan
