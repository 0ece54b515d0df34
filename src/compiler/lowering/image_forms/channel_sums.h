// Gradients of depthwise kernels: convolutions in which each image is a group of its own, of one
// feature. Each tap is the sum of a channel's products, which no matrix product is.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void sum_channels(graph::Module& module);

}  // namespace trainyard::compiler
