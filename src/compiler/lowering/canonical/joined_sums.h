// Pass: sums over values that were joined (concatenated, stacked) are sums of the parts, which need
// not lie in memory side by side: the taps of a convolution that are stacked and summed.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void sum_joined_parts(graph::Module& module);

}  // namespace trainyard::compiler
