// Sorts of rows by one key, on chip: a network of comparisons between columns moves keys and
// places, and what belongs to them is gathered by the places. Other sorts are sort.h's.
#pragma once

#include "compiler/lowering/lowerer.h"

namespace trainyard::compiler {

// False where the order is not the ascending one of the first operand as JAX writes it, or where a
// row is too long for a partition.
[[nodiscard]] bool sort_rows(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
