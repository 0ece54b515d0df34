// What a row plan computes, said with fewer passes over its elements: sums of scaled values, sums
// that are 0, and factors that one element a row can take.
#pragma once

#include <cstdint>

#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// Before steps are joined. `columns`: elements of a row.
void simplify(RowPlan& plan, std::int64_t columns);

// Whether a value is the mean of a row of another, as a sum times a number makes it, in float32;
// which step sums, or nothing.
[[nodiscard]] const RowStep* sum_of_mean(const RowPlan& plan, RowValueId mean, RowValueId of,
                                         std::int64_t columns);

}  // namespace trainyard::compiler
