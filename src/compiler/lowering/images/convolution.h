// Convolutions of any strides, dilations, paddings and groups: products of matrices whose left side
// is a view of overlapping windows, or, where each group has one channel, sums of shifted views on
// the Vector engine.
#pragma once

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// False for types that the tensor engine does not multiply, and for results without elements.
bool convolution(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
