// Finds the layers that a model writes out one after the other: operations that come again with
// other weights. Each such layer becomes a function of the module that is called instead, so that
// it is lowered and compiled once; an instance differs in its buffers, and in its places in the
// source.
#pragma once

#include "compiler/compiler.h"
#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Calls in main, where nothing else is called any more.
void share_layers(graph::Module& module, const machine::Core& core, Layers layers);

// A call of such a function. Its "locations" are those of this instance's operations, "compiled"
// those of the same operations in the function.
[[nodiscard]] bool is_layer(const graph::Op& op);

}  // namespace trainyard::compiler
