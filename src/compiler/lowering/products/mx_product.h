// Products of matrices in MX formats on the tensor engine, with the operations behind them.
#pragma once

#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// Computes the group's root, whose product is one of MX blocks, into a sink of product_layout().
// `in_halves`: each of two cores half of it; the operands lie in HBM.
void compute_mx_product(Segment& segment, Group& group, Sink& sink, bool in_halves);

}  // namespace trainyard::compiler
