// The order of operations that end in results alone, elementwise all the way: behind the others,
// those of one result side by side. An optimiser takes each of its steps for all weights before the
// next; so a weight's steps can be computed together.
#pragma once

#include <cstddef>

#include "graph/module.h"

namespace trainyard::compiler {

// Changes nothing where there are at most `few` of them.
void gather_by_result(const graph::Function& function, graph::Region& region, std::size_t few);

}  // namespace trainyard::compiler
