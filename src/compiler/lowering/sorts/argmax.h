// Where the largest or the smallest element of each row stands, by the vector engine's search
// (max8, nc_find_index8). What else reductions of several operands compute is fold.h's.
#pragma once

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// False where the reduction is not argmax or argmin as JAX writes them, where its first result is
// read, or where float32 does not hold the elements.
[[nodiscard]] bool argmax(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
