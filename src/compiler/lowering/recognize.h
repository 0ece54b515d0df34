// Finds functions that engines have an instruction for where a framework spelled them out: gelu,
// silu and the logistic function.
#pragma once

#include <optional>

#include "graph/module.h"

namespace trainyard::compiler {

// The module with each of them as one composite, and without what only they needed. Nothing where
// it has none.
[[nodiscard]] std::optional<graph::Module> recognized(const graph::Module& module);

}  // namespace trainyard::compiler
