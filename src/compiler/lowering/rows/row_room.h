// What the bands of a row plan take of SBUF.
#pragma once

#include <cstdint>

#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// What one band alone takes of a partition, at most.
[[nodiscard]] std::int64_t bytes_alone(const RowPlan& plan, std::int64_t columns);

// How many bands are under way at a time in so many bytes of a partition. False where there is no
// room for one.
[[nodiscard]] bool choose_overlap(RowPlan& plan, std::int64_t columns, std::int64_t bytes,
                                  bool may_overlap);

}  // namespace trainyard::compiler
