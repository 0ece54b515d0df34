// Programs that replicas run, each on a device of its own: written from one device's view already,
// with nothing to divide.
#pragma once

#include "graph/module.h"

namespace trainyard::graph {

// As partitions run it: a replica's number is that of its device. Throws InputError "graph.devices"
// for an exchange between partitions, of which each replica has one.
[[nodiscard]] Module of_replicas(Module module);

}  // namespace trainyard::graph
