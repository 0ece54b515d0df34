// Convolutions that are one product of matrices: of elements that lie as far apart as the kernel is
// wide, as the gradient of patches has them, where each element of the result has one tap; and
// those whose window covers the whole image, as the gradient of a kernel of one tap has them.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void multiply_patches(graph::Module& module);

}  // namespace trainyard::compiler
