// Arguments whose memory a program may take for its results, as JAX's donate_argnums says.
#pragma once

#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

// Of each argument of a function whether a result takes its memory.
[[nodiscard]] std::vector<bool> donated_arguments(const Function& entry);

}  // namespace trainyard::graph
