// Computes a cluster of operations over rows in one pass over memory: each band of rows is loaded
// once, stays in SBUF until its results are stored, and overlaps with its neighbours.
#pragma once

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// The composite of a cluster (row_clusters.h): in one pass, or, where that does not fit in SBUF or
// its inputs lie on chip in another layout, one operation after the other.
bool lower_rows(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
