// Finds products whose operands were widened before them: the array multiplies the smaller formats
// in fewer passes, and sums in float32 either way.
#pragma once

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Products and convolutions whose results are float32 multiply the numbers that their operands were
// widened from, in the smallest format of the array that holds both sides exactly; so do products
// of two formats, and of one that the array does not have.
void narrow_products(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
