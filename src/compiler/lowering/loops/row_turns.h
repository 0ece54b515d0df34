// Products of very many instructions in turns of a loop, each of some rows: the text of a program
// then grows with what a turn computes, not with how many rows there are. What goes along the same
// rows, as norms, activations and softmax around a product do, is computed in the same turn, and of
// values that only a turn reads nothing but the turn's rows is held.
#pragma once

#include "compiler/lowering/loops/row_regions.h"
#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

void take_turns(graph::Module& module, const machine::Core& core, const TurnLimits& limits = {});

}  // namespace trainyard::compiler
