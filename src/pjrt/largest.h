// The largest values of a program, for whoever must make it smaller.
#pragma once

#include <string>

#include "graph/module.h"

namespace trainyard::pjrt {

// Lines such as "  256.0 GiB tensor<...>, broadcast_in_dim at model.py:3 in jit(f)/...", largest
// first; values of a loop or a called function count once.
[[nodiscard]] std::string largest_values(const graph::Module& module);

}  // namespace trainyard::pjrt
