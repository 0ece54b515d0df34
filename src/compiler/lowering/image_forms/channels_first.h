// Images whose sums over all but the channels are taken, as batch norms take them, get their
// channels first: a convolution has them on the partitions, and what a channel needs is then one
// number a row. Operations that move elements are put where such images meet others.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void put_channels_first(graph::Module& module);

}  // namespace trainyard::compiler
