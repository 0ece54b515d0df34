// The k largest elements of each row with their places, by the vector engine's search (max8,
// nc_find_index8, nc_match_replace8), eight at a time.
#pragma once

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// chlo.top_k. False where k is so large that a sort takes less, or where the rows cannot be divided
// into pieces that the engine takes.
[[nodiscard]] bool top_k(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
