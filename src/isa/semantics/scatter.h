// Where the rows of a scatter go.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/semantics/execution.h"

namespace trainyard::isa::dma {

// Which row of its tensor each row of a region with an index list stands for; -1 where it is out of
// bounds. Empty for a region without one.
[[nodiscard]] std::vector<std::int64_t> row_indices(const Tile& tile, Execution& execution);

}  // namespace trainyard::isa::dma
