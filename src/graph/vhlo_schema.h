// Every versioned operation of VHLO with the names of its attributes in the order in which bytecode
// holds them, which is alphabetical. Source: StableHLO v1.20, VhloOps.td.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace trainyard::graph {

// The attributes of an operation by its versioned name ("dot_general_v2"); nothing when VHLO has no
// operation of that name.
[[nodiscard]] std::optional<std::vector<std::string_view>> vhlo_attributes(std::string_view name);

// The name without its version: "dot_general" of "dot_general_v2".
[[nodiscard]] std::string_view without_version(std::string_view name);

}  // namespace trainyard::graph
