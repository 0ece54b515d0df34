// Pooling of images: the maximum, the minimum or the sum of windows that slide over them, first
// along their width, then along their height, with channels on the partitions.
#pragma once

#include "compiler/lowering/lowerer.h"
#include "compiler/lowering/sliding.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

// `how`: the reduction, whose initial value is neutral. False where the windows slide over more or
// fewer than two dimensions, the channels are few, or where the border covers whole windows.
[[nodiscard]] bool pool_image(Lowerer& lowerer, const graph::Op& op, numerics::AluOp how,
                              const std::vector<Sliding>& sliding);

}  // namespace trainyard::compiler
