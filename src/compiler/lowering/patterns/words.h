// Arithmetic on words that engines do better in another way: halves of a rotated word become a sum,
// and the words of places that are counted with 64 bits, as jax.random does, are counted with 32.
// In bodies of loops and branches, too: what has 64 bits would be a routine there, and the host
// would turn the loop.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void rewrite_words(graph::Function& function);

}  // namespace trainyard::compiler
