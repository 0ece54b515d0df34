// How a row plan goes through rows of which SBUF has no room for several bands: in sweeps over
// pieces of their columns. Reductions are carried from piece to piece. What a later sweep needs of
// an earlier one stays on chip; without room for that it is computed again from the inputs, of
// which as many pieces stay as there is room for.
#pragma once

#include <cstdint>

#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// Pieces by which a sweep follows the one before.
inline constexpr std::int64_t sweep_lag = 1;

// Sums of exponentials less a row's maximum no longer wait for it: each piece is computed less its
// own, and the sums are rescaled.
void localize_maxima(RowPlan& plan);

// The sweeps of a plan with stages, with at most `bytes` of a partition. False where that is too
// little.
[[nodiscard]] bool plan_sweeps(RowPlan& plan, const RowSpace& space, std::int64_t bytes);
// The same where all stays on chip that several sweeps read.
[[nodiscard]] bool plan_carrying_sweeps(RowPlan& plan, const RowSpace& space, std::int64_t bytes);

}  // namespace trainyard::compiler
