// Which engine takes each pass of a row plan, so that the busiest one is done soonest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/rows/row_plan.h"
#include "machine/core.h"

namespace trainyard::compiler {

// The operators as what Scalar applies in front of a function: multiply, then add or subtract, or
// fewer. Nothing where they are something else.
[[nodiscard]] std::optional<std::vector<RowOperator>> scale_and_shift(
    std::span<const RowOperator> operators);

// Whether the pass is one that Vector has an instruction for, where the machine has it.
[[nodiscard]] bool is_exponential(const RowStep& step, const machine::Core& core);

// What the loads and stores of a band take: their bytes or their triggers, whichever take longer.
[[nodiscard]] base::Ticks transfer_time(const RowPlan& plan, std::int64_t columns,
                                        const machine::Core& core);

// Which engine takes which pass, so that the busiest one has as little as possible to do: so much.
base::Ticks choose_row_engines(RowPlan& plan, std::int64_t columns, const machine::Core& core);

}  // namespace trainyard::compiler
