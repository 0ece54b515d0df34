// What is known of a loop's turns before any is taken: how many there are, and the state that does
// not depend on what they compute.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/passes/definitions.h"
#include "compiler/lowering/passes/turn_batch.h"
#include "graph/module.h"

namespace trainyard::compiler {

// How often a loop turns, where it counts from a constant to a constant.
[[nodiscard]] std::optional<std::int64_t> known_turns(const graph::Function& function,
                                                      const Definitions& definitions,
                                                      const graph::Op& loop);

struct KnownStates {
  std::vector<std::optional<graph::ValueId>> results{};  // of the loop
  std::optional<std::size_t> turn{};                     // the state that is 0, 1, 2 ... in turn
};
// Tells the batch what values the body has, and which states are handed on or counted.
[[nodiscard]] KnownStates enter_loop(TurnBatch& batch, const Definitions& outside,
                                     const graph::Op& loop);

}  // namespace trainyard::compiler
