// Which collectives a layer needs, between which chips: formulas price them by links.h, simulated
// layers by the schedules of `fabric`.
#pragma once

#include "fabric/schedule.h"
#include "planner/links.h"
#include "planner/model.h"
#include "planner/plan.h"

namespace trainyard::planner {

struct Pass;

struct Collective {
  fabric::CollectiveOp operation = fabric::CollectiveOp::all_reduce;
  double bytes = 0;   // of each chip
  double chips = 1;   // that take part
  double stride = 1;  // between them
  double times = 1;
};

// The sums of tensor parallelism in a layer: behind attention and behind what follows it.
[[nodiscard]] Collective sum_over_tensors(const Model& model, const Plan& plan, const Pass& pass);
// Tokens to the chips of their experts and back, in a layer that has some.
[[nodiscard]] Collective exchange_tokens(const Model& model, const Plan& plan, const Pass& pass);

// Alone on the links, all times.
[[nodiscard]] Transfer price(const Chip& chip, const Collective& collective);

}  // namespace trainyard::planner
