// Sorts of rows, on chip, the fastest way. Of short rows with one ascending key a network of
// comparisons between columns moves keys and places, and what belongs to them is gathered by the
// places; the other ways are spread_sort.h and rank_sort.h.
#pragma once

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// False where no row fits on chip, where the GpSimd cores' own routine would be faster, and for
// comparisons with an operation that has no row in elementwise.cpp.
[[nodiscard]] bool sort(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
