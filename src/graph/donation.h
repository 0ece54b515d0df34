// Arguments whose memory a program may take for its results, as JAX's donate_argnums says.
#pragma once

#include <string_view>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

// An argument that has it may be overwritten by any result of its type.
inline constexpr std::string_view donor_attribute = "jax.buffer_donor";

// A module of one scatter has it whose result may take the memory of its first operand.
inline constexpr std::string_view in_place_attribute = "trainyard.in_place";

// Of each argument of a function whether a result takes its memory.
[[nodiscard]] std::vector<bool> donated_arguments(const Function& entry);

}  // namespace trainyard::graph
