// Loops whose turns are unrolled, as scan's unroll=8 leaves them, as loops of single turns.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Where the body of a counted loop does the same several times, each time with the state that the
// time before has left, with the next row of the part of a stack that the turn reads, and putting
// the next row into the part that it writes, the loop gets so many times the turns, and a body that
// does it once. What recurrences, products before loops and the machine's own loops look for stands
// there again.
void roll_loops(graph::Module& module);

}  // namespace trainyard::compiler
