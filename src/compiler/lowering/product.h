// Products of matrices on the tensor engine, with the operations that are fused behind them.
#pragma once

#include "compiler/lowering/group.h"
#include "compiler/lowering/segment.h"

namespace trainyard::compiler {

// True for formats whose products the tensor engine sums in float32.
[[nodiscard]] bool multiplies(isa::DType left, isa::DType right);

// Computes the group's root, tile by tile of its product, into a place in HBM of its shape.
void compute_product(Segment& segment, Group& group, const Strided& to);

}  // namespace trainyard::compiler
