// Pass: a collective whose groups are of one rank each gives what it is given, as in a program that
// is written for a mesh and runs on one device of it.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void pass_lone_ranks_on(graph::Module& module);

}  // namespace trainyard::compiler
