// What devices exchange where they meet: who with whom, and with which values.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/evaluate.h"
#include "plan/plan.h"

namespace trainyard::plan {

using Shared = std::shared_ptr<const graph::Literal>;  // null in a run without values

// jax.lax.ragged_all_to_all among them, a custom call.
[[nodiscard]] bool is_collective(const Op& op);
[[nodiscard]] bool is_ragged(const Op& op);
// Whether an operation is a collective or contains one, in regions or in a function it calls.
[[nodiscard]] bool meets(const graph::Module& module, const Op& op);

// The devices of each group of a collective, in its order; of a permutation, who sends to the next
// one: chains, then rings. Throws InputError "graph.devices" for a device that there is not.
[[nodiscard]] std::vector<Partitions> groups_of(const graph::Module& module, const Op& op,
                                                std::size_t devices);

// The results of each device, from what each gives. Sums go through a group in its order: narrow
// formats accumulate in float32 and are rounded once, unless the region says otherwise. Devices
// outside the groups may give nulls.
[[nodiscard]] std::vector<std::vector<Shared>> exchanged(
    const Plan& plan, const Meet& meet, std::span<const std::vector<Shared>> given);

}  // namespace trainyard::plan
