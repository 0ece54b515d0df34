// The dimensions of a product's operands, by side, for passes that change them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/module.h"

namespace trainyard::compiler {

// The names of the attributes of a dot_general.
struct DotSide {
  std::string_view batches, depths;
};
inline constexpr std::array<DotSide, 2> dot_sides{{
    {"lhs_batching_dimensions", "lhs_contracting_dimensions"},
    {"rhs_batching_dimensions", "rhs_contracting_dimensions"},
}};

inline bool is_in(std::span<const std::int64_t> dims, std::int64_t dim) {
  return std::ranges::find(dims, dim) != dims.end();
}

inline void set_integers(graph::Dictionary& attributes, std::string_view name,
                         std::vector<std::int64_t> dims) {
  for (graph::NamedAttribute& each : attributes)
    if (each.name == name) each.value = {std::move(dims)};
}

}  // namespace trainyard::compiler
