// The gradient of maxima and minima over windows: what each window gives goes to its first element
// that was chosen. Channels on the partitions, each tap of the windows a view of the image on chip.
#pragma once

#include "compiler/lowering/images/sliding.h"
#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// A select_and_scatter. False where it does not choose so, does not add to zero, where the image
// has few channels or other than two dimensions that windows slide along, or finds no room on chip.
bool pooling_gradient(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
