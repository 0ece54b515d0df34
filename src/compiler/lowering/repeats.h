// Finds operations that compute what an earlier one has computed: JAX writes the angles of a rotary
// embedding out again in every layer.
#pragma once

#include <optional>

#include "graph/module.h"

namespace trainyard::compiler {

// The module with each of them computed once; nothing where none repeats.
[[nodiscard]] std::optional<graph::Module> without_repeats(const graph::Module& module);

}  // namespace trainyard::compiler
