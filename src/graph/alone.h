// Operations of a function as a module of their own.
#pragma once

#include <span>

#include "graph/module.h"

namespace trainyard::graph {

// Its main takes the values `read` and gives `results`. It holds the types and places that its
// operations have, not those of the whole function, which may have thousands: values and places are
// numbered anew, in the order of their old numbers. The module's other functions are in it, too.
[[nodiscard]] Module alone(const Module& module, const Function& function,
                           std::span<const Op* const> ops, std::span<const ValueId> read,
                           std::span<const ValueId> results);

}  // namespace trainyard::graph
