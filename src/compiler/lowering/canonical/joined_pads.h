// Pass: values that zeros fill up beside each other and that are added, as gradients of the parts
// that a projection was split into are, are joined: concatenated, once.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void join_pads(graph::Module& module);

}  // namespace trainyard::compiler
