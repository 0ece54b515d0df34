// Products with a matrix of M:N structured sparsity: of every N of its elements along the depth at
// most M are stored, with tags that say where they stood.
#pragma once

#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// Computes the group's root, whose product is one of these, into a sink of product_layout():
// columns on the partitions, since the sparse matrix is held by the array.
void compute_sparse_product(Segment& segment, Group& group, Sink& sink);

}  // namespace trainyard::compiler
