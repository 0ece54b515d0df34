// What an optimiser keeps of a weight from one step to the next, as moments and momentum are, found
// by what a training step does with it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

struct OptimizerState {
  std::size_t argument = 0, result = 0;     // of main, of one type
  const std::string* annotation = nullptr;  // of the operation that makes the result
};

// Arguments that become a result elementwise, with a gradient and with no other argument of that
// shape but such state. Weights are none: what is differentiated reads them. Nor is what a loop
// carries.
[[nodiscard]] std::vector<OptimizerState> optimizer_states(const Module& module);

}  // namespace trainyard::graph
