// What is known of a loop's turns before any is taken: how many there are, and the state that does
// not depend on what they compute.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/loops/turn_batch.h"
#include "graph/module.h"

namespace trainyard::compiler {

// How often a loop turns, where it counts from a constant to a constant.
[[nodiscard]] std::optional<std::int64_t> known_turns(const Definitions& definitions,
                                                      const graph::Op& loop);

// Tells the batch what values the body has, and which states are handed on or counted; the loop's
// results of these.
[[nodiscard]] std::vector<std::optional<graph::ValueId>> enter_loop(TurnBatch& batch,
                                                                    const Definitions& outside,
                                                                    const graph::Op& loop);

}  // namespace trainyard::compiler
