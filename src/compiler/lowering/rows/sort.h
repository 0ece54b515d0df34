// Sorts of any values by any comparison, as a network of compared and exchanged pairs.
#pragma once

#include "compiler/lowering/lowerer.h"

namespace trainyard::compiler {

// Batcher's bitonic network: (log2 n)(log2 n + 1) / 2 rounds, each over all elements. A stable sort
// compares places where values are equal. False for comparisons with an operation that has no row
// in elementwise.cpp, and for values so large that a network has too many instructions.
bool sort(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
