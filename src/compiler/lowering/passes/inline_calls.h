// Functions that are called, in the place of their calls.
#pragma once

#include <optional>

#include "graph/module.h"

namespace trainyard::compiler {

// The module with the operations of every called function where it is called. Nothing where main
// calls none. Throws InputError "graph.call" for a function that the module lacks, or that calls
// itself.
[[nodiscard]] std::optional<graph::Module> without_calls(const graph::Module& module);

}  // namespace trainyard::compiler
