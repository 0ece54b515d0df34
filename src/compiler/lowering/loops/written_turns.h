// Short loops, written out turn by turn.
#pragma once

#include <cstdint>

#include "graph/module.h"

namespace trainyard::compiler {

// A loop of few turns that are small and have products becomes its turns, one behind the other,
// with slices where their number tells where they lie: what one turn does not need of the one
// before then overlaps with it, and patterns look across turns. Large turns stay in their loop,
// whose begin and end cost little beside them.
[[nodiscard]] bool is_short_loop(const graph::Function& function, const graph::Op& loop,
                                 std::int64_t turns);
void write_short_loops_out(graph::Module& module);

}  // namespace trainyard::compiler
