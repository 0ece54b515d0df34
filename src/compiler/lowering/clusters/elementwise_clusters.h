// Finds elementwise operations on values of one shape that read each other's results, some of
// which several of them read, and that can therefore be computed together, tile by tile: an
// optimiser's update, the gradient of an activation, the rounds of a random number generator.
#pragma once

#include <optional>

#include "graph/module.h"

namespace trainyard::compiler {

// The composite that stands for a cluster: its region is the operations, which read values from
// around it and return the results.
[[nodiscard]] bool is_elementwise_cluster(const graph::Op& op);

// The module with each cluster as one composite. Nothing where it has none.
[[nodiscard]] std::optional<graph::Module> with_elementwise_clusters(const graph::Module& module);

}  // namespace trainyard::compiler
