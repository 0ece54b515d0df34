// Plans of rows of which several share a partition, so that instructions and transfers have fewer
// fixed costs: in which ways they may be computed, and how long a plan takes.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/rows/row_plan.h"
#include "machine/core.h"

namespace trainyard::compiler {

// With numbers of rows as operators of instructions for each row, or in pairs with all of them;
// sums with what is summed, or behind it. `simple`: one step for each operation.
[[nodiscard]] std::vector<RowPlan> ways_to_stack(const RowPlan& simple, std::int64_t rows,
                                                 std::int64_t columns);

// All bands one after the other, as much of them at a time as their stages and loads ahead, each
// as long as the busiest engine.
[[nodiscard]] base::Ticks time_of(const RowPlan& plan, const RowSpace& space, base::Ticks engines,
                                  const machine::Core& core);

}  // namespace trainyard::compiler
