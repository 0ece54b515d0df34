// How often a loop turns, where its program says so.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/module.h"

namespace trainyard::graph {

// The operation in a region, not in regions inside, that makes a value; or null.
[[nodiscard]] const Op* maker_in(ValueId value, const Region& region);

// Of a loop that counts up to a constant, as jax.lax.scan makes it. `around`: the region it is in.
[[nodiscard]] std::optional<std::int64_t> counted_turns(const Op& loop, const Region& around);

}  // namespace trainyard::graph
