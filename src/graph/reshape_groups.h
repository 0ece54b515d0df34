// Which dimensions of a shape are as many elements as which of another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trainyard::graph {

// Dimensions [first, last) of both shapes.
struct ReshapeGroup {
  std::size_t from_first, from_last, to_first, to_last;
};

// The smallest such groups of two shapes of as many elements, in order; dimensions of one element
// at the end stand alone.
[[nodiscard]] std::vector<ReshapeGroup> reshape_groups(const std::vector<std::int64_t>& from,
                                                       const std::vector<std::int64_t>& to);

}  // namespace trainyard::graph
