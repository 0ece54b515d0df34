// Sums by channel of images with few channels, first, as one pass of a tensor program.
#pragma once

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Each image of each channel is a row of its own, where channels alone would leave most partitions
// idle: [channels, images, height, width] is summed to [channels, images], which is summed to
// [channels].
void sum_by_image(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
