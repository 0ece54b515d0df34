// Convolutions of elements that lie as far apart as the kernel is wide, as the gradient of patches
// has them: each element of the result has one tap, so that all are one product of matrices.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void multiply_patches(graph::Module& module);

}  // namespace trainyard::compiler
