// Products with a matrix of M:N structured sparsity: of every N of its elements along the depth at
// most M are stored, with tags that say where they stood.
#pragma once

#include "compiler/lowering/elementwise/group.h"
#include "compiler/lowering/lowerer.h"
#include "compiler/lowering/segment.h"

namespace trainyard::compiler {

// The composite "trainyard.sparse_product_M_N" of [rows..., depth], elements [depth * M/N, columns]
// and tags [depth * M/N, columns / 4], as a product that stays uncomputed. False where the machine
// or the types have no such product: then its decomposition is computed.
bool sparse_product(Lowerer& lowerer, const graph::Op& op);

// Computes the group's root, whose product is one of these, into a sink of product_layout():
// columns on the partitions, since the sparse matrix is held by the array.
void compute_sparse_product(Segment& segment, Group& group, Sink& sink);

}  // namespace trainyard::compiler
