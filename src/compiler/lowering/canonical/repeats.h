// Finds operations that compute what an earlier one has computed: JAX writes the angles of a rotary
// embedding out again in every layer.
#pragma once

#include <span>

#include "graph/module.h"

namespace trainyard::compiler {

// Each of them is computed once.
void remove_repeats(graph::Module& module);
// The same of a region that one pass over memory computes, however large its values are; those that
// are `kept` stay under their name.
void remove_repeats_in(const graph::Function& function, graph::Region& region,
                       std::span<const graph::ValueId> kept);

}  // namespace trainyard::compiler
