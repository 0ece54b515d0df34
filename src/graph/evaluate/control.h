// What operations that compute nothing share.
#pragma once

#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

// The operands as results, of their types.
[[nodiscard]] Results pass_on(const Evaluation& e);

}  // namespace trainyard::graph
