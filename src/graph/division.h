// A program for several devices that is one manual computation (jax.shard_map, jax.pmap): main is
// read as what one device does.
#pragma once

#include <string>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

// The manual computation: what it is given and returns, and how these lie on the devices.
struct Division {
  std::vector<ValueId> given{}, returned{};
  std::string in{}, out{};
};

// The text that an attribute is; empty where it is none.
[[nodiscard]] std::string text_of(const Attribute* attribute);

// Marks the module as divided. Throws InputError "graph.devices" where main is more than the
// computation, or its values lie otherwise: there is no partitioner.
void check_division(Module& module, const Function& main, const Division& division,
                    LocationId location);

}  // namespace trainyard::graph
