// What follows from constants alone: numbers that operations on numbers make, choices by a known
// predicate, reductions of one element.
#pragma once

#include <optional>

#include "graph/module.h"

namespace trainyard::compiler {

// The module with those as constants, or gone. Nothing where it has none.
[[nodiscard]] std::optional<graph::Module> with_known_values(const graph::Module& module);

}  // namespace trainyard::compiler
