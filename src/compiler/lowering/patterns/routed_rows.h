// Rows sorted by group and brought back, as a router of experts does: an argsort of numbers below a
// known bound is counted instead of sorted, the argsort of that order is known with it, and rows
// that are added up by it (x.at[order // k].add(y)) are gathered: each sum has k of them.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void route_rows(graph::Module& module);

}  // namespace trainyard::compiler
