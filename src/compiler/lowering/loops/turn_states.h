// What is known of a loop's turns before any is taken: how many there are, and the state that does
// not depend on what they compute.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/loop_shape.h"
#include "compiler/lowering/loops/turn_batch.h"
#include "graph/builder.h"
#include "graph/module.h"

namespace trainyard::compiler {

// What counts turns.
inline const graph::Type count_type{.element = graph::ElementType::s32, .shape = {}};
[[nodiscard]] graph::ValueId whole_number(graph::Builder& write, std::int64_t number);
// The whole number that a value is.
[[nodiscard]] std::optional<std::int64_t> whole_number(const Definitions& definitions,
                                                       graph::ValueId value);
// What is added to a counted state in each turn.
[[nodiscard]] std::optional<std::int64_t> counted(const Definitions& definitions,
                                                  const LoopShape::Step& step);
// How often a loop turns, where it counts from a constant to a constant.
[[nodiscard]] std::optional<std::int64_t> known_turns(const Definitions& definitions,
                                                      const graph::Op& loop);

// Tells the batch what values the body has, and which states are handed on or counted; the loop's
// results of these.
[[nodiscard]] std::vector<std::optional<graph::ValueId>> enter_loop(TurnBatch& batch,
                                                                    const Definitions& outside,
                                                                    const graph::Op& loop);

}  // namespace trainyard::compiler
