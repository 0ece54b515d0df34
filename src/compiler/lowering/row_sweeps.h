// How a row plan goes through rows that are too long for SBUF: in sweeps over pieces of their
// columns. Reductions are carried from piece to piece; what a later sweep needs of an earlier one
// is computed again from the inputs, of which as many pieces stay on chip as there is room for.
#pragma once

#include <cstdint>

#include "compiler/lowering/row_clusters.h"
#include "compiler/lowering/row_plan.h"

namespace trainyard::compiler {

// Pieces by which a sweep follows the one before.
inline constexpr std::int64_t sweep_lag = 2;

// Sums of exponentials less a row's maximum no longer wait for it: each piece is computed less its
// own, and the sums are rescaled.
void localize_maxima(RowPlan& plan);

// The sweeps of a plan with stages, with at most `bytes` of a partition. False where that is too
// little.
[[nodiscard]] bool plan_sweeps(RowPlan& plan, const RowSpace& space, std::int64_t bytes);

}  // namespace trainyard::compiler
