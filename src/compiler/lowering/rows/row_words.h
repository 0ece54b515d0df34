// What compile --explain says of a row plan.
#pragma once

#include <string>

#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/rows/row_plan.h"
#include "machine/core.h"

namespace trainyard::compiler {

// `is_too_long`: a row, for SBUF.
[[nodiscard]] std::string explained(const RowPlan& plan, const RowSpace& space, bool is_too_long,
                                    const machine::Core& core);

}  // namespace trainyard::compiler
