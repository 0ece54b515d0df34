// Short loops, written out turn by turn.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// A loop of few turns that are small and have products becomes its turns, one behind the other,
// with slices where their number tells where they lie: what one turn does not need of the one
// before then overlaps with it, and patterns look across turns. Large turns stay in their loop,
// whose begin and end cost little beside them.
void write_short_loops_out(graph::Module& module);

}  // namespace trainyard::compiler
