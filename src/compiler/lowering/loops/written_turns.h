// Small turns of loops, several written out one behind the other: what one does not need of the one
// before then overlaps with it, and patterns look across turns. Large turns stay as they are: a
// loop's begin and end cost little beside them.
#pragma once

#include <cstdint>

#include "graph/module.h"

namespace trainyard::compiler {

// A loop of few turns that are small and have products becomes its turns.
[[nodiscard]] bool is_short_loop(const graph::Function& function, const graph::Op& loop,
                                 std::int64_t turns);
void write_short_loops_out(graph::Module& module);

// A turn of other loops of small turns takes several of them, with products or without.
void join_turns(graph::Module& module);

}  // namespace trainyard::compiler
