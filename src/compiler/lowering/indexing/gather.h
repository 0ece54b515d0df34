// Gather and scatter: windows of a value at places that are known when the program runs.
#pragma once

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// Windows fetched by the DMA engines, a list of offsets at a time. False for indices that are not
// 32-bit words and for values of 2^31 elements and more.
bool gather(Lowerer& lowerer, const graph::Op& op);

// Updates that replace what they meet are scattered by the DMA engines. Sums are products with a
// matrix of ones and zeros on the tensor engine, so that updates may meet in any number; zeros
// multiply every update, so that an update which is not finite spreads. False for other operators,
// and for sums of integers that do not count (jnp.bincount does).
bool scatter(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
