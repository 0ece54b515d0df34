// Pass: tables of functions that follow from constants alone (sines of rotary embeddings,
// positional encodings, slopes of a mask) are computed once, as the program is compiled, by the
// graph's evaluator. XLA folds such constants, too.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

void compute_known_tables(Module& module);

// The same of loops whose turns are counted and read nothing but constants, however small their
// results: segments of a mask that is all true, tables that are made step by step. Before other
// passes make anything else of such a loop.
void compute_known_loops(Module& module);

}  // namespace trainyard::graph
