// One program on several devices: the values of each, operation by operation, and what they
// exchange at collectives. No device knows time here.
#pragma once

#include <span>
#include <vector>

#include "graph/evaluate.h"

namespace trainyard::graph {

// The results of main on each device; `inputs`: of each device, in the order of their partitions
// (or replicas). Sums of collectives go through a group in its order. Throws InputError as
// evaluate(), and "graph.devices" where devices take different ways through a loop, or a collective
// stands in a branch.
[[nodiscard]] std::vector<std::vector<Literal>> evaluate_together(
    const Module& module, std::span<const std::vector<Literal>> inputs,
    const EvaluateLimits& limits = {});

}  // namespace trainyard::graph
