// What compile --explain says of a row plan.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/lowering/passes/row_clusters.h"
#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// `is_too_long`: a row, for SBUF.
[[nodiscard]] std::string explained(const RowPlan& plan, const RowSpace& space, bool is_too_long,
                                    std::int64_t partitions);

}  // namespace trainyard::compiler
