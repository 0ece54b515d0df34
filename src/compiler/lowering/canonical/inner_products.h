// Pass: a product whose matrices are so small beside their number that the array would wait for
// each of them, as a sum of squares by einsum or a depthwise filter, is a multiplication and a sum.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void sum_inner_products(graph::Module& module);

}  // namespace trainyard::compiler
