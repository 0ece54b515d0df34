// Functions that are called, in the place of their calls.
#pragma once

#include <optional>

#include "graph/module.h"

namespace trainyard::graph {

// The module with the operations of every called function where it is called. Nothing where main
// calls none. Throws InputError "graph.call" for a function that the module lacks, or that calls
// itself.
[[nodiscard]] std::optional<Module> without_calls(const Module& module);

}  // namespace trainyard::graph
