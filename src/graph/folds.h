// What the regions of reductions, windows and scatters fold with, where that is simple.
#pragma once

#include <optional>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

// How a region of 2n scalar arguments folds n values, where each result is one operation that needs
// no environment (add, multiply, maximum, minimum, and, or) of its own pair of arguments, in either
// order.
[[nodiscard]] std::optional<std::vector<OpKind>> simple_folds(const Region& region);

}  // namespace trainyard::graph
