// The operations of a cluster of rows as passes over a band's elements, one for each operation, and
// not yet joined or given to engines.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// `shares`: in how many partitions a row lies. Nothing where a pass cannot have an operation.
[[nodiscard]] std::optional<RowPlan> steps_of_rows(
    const graph::Function& function, const graph::Op& cluster,
    const std::function<RowInput(graph::ValueId)>& input, std::int64_t shares);

}  // namespace trainyard::compiler
