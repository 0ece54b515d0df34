// Pass: a product whose batches are added up, as the gradient of a repeated head or weight is, sums
// over them itself: PSUM adds them, and no batch of results lies in memory.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void sum_products(graph::Module& module);

}  // namespace trainyard::compiler
