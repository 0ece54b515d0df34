// Products whose values only products read, by way of elementwise operations: how those values lie
// is a choice for all of them at once, since what one product writes others read.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/module.h"

namespace trainyard::compiler {

struct LayoutRegion {
  std::vector<const graph::Op*> ops{};       // in their order
  std::vector<const graph::Op*> products{};  // of these, those whose value may lie either way
  std::vector<graph::ValueId> results{};     // that others read
  std::int64_t instructions_min = 0;         // of its products
};

// Those of one region of a function, by their first operations.
[[nodiscard]] std::vector<LayoutRegion> layout_regions(const graph::Function& function,
                                                       const graph::Region& region);

}  // namespace trainyard::compiler
