// What a device has to do, roughly: to compare divisions of one program, not to tell times.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

// What a part of a divided program computes, moves and exchanges, as bytes that pass through HBM in
// the same time.
[[nodiscard]] double estimated_bytes(const Module& module);

}  // namespace trainyard::graph
