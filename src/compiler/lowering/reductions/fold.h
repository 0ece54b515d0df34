// Reductions by any function, and what windows slide over: reduce by a region of several operations
// or over several values (argmax), reduce_window (pooling), and running sums.
#pragma once

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// Elements meet in pairs, neighbours first, in as many rounds as the length has bits. False where
// the region has an operation without a row in elementwise.cpp.
bool fold(Lowerer& lowerer, const graph::Op& op);

// Small windows: the region on each of their elements in turn. A window over all elements before
// one is a running sum: tensor_tensor_scan for sums, products and maxima of real numbers, else
// rounds that double the distance. False for other large windows.
bool reduce_window(Lowerer& lowerer, const graph::Op& op);

// graph/linear_scan.h.
bool linear_scan(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
