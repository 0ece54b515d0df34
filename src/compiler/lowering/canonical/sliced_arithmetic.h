// Pass: arithmetic of which only slices are read, as the gradient of a rotation or of a split
// projection has it, is done on slices of its operands: what it makes need not lie in memory whole.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void slice_before_arithmetic(graph::Module& module);

}  // namespace trainyard::compiler
