// The K largest elements of a group of partitions that hold one list together.
#pragma once

#include "isa/semantics/execution.h"

namespace trainyard::isa::top_k {

// For each `group` of partitions: element e of the list is in row e mod group, column e div group
// of src. Writes the largest K = free_elements(values) of the first n, ascending, and their
// positions: result j to row j mod group, column j div group. The other elements stay. Among equal
// values the lower position is taken and written first; a NaN counts as the largest (both assumed).
void groups(const Tile& values, const Tile& indices, const Tile& src, std::int64_t n,
            std::int64_t group, Execution& execution);

}  // namespace trainyard::isa::top_k
