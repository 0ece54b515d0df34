// How much the products of a program multiply and add.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

// Of a matrix product or a convolution; 0 for other operations, and where sizes are not known.
[[nodiscard]] double multiply_adds(const Function& function, const Op& op);
// Of main's matrix products and convolutions, loops as often as they are known to turn, of branches
// the larger. Those of formats of a byte count a quarter: no array of Trainium multiplies more than
// four times as many of them.
[[nodiscard]] double multiply_adds(const Module& module);

}  // namespace trainyard::graph
