// Choosing between two rows by the bits of a third, where all lie side by side in memory.
#pragma once

#include "isa/semantics/execution.h"

namespace trainyard::isa::predicated {

// dst = predicate != 0 ? src : dst, or, `reversed`, predicate == 0 ? src : dst, where the rows are
// of that kind: dense, of fitting widths, and apart from each other. False, and nothing done,
// where they are not.
[[nodiscard]] bool copy_rows(const Tile& dst, const Tile& src, const Tile& predicate, bool reversed,
                             Execution& execution);

}  // namespace trainyard::isa::predicated
