// How arguments and results lie on devices, as frameworks ask for it: an HLO module with
// its configuration (XLA's hlo.proto and xla_data.proto), with shardings and without operations.
#pragma once

#include <string>

#include "graph/partition.h"

namespace trainyard::pjrt {

[[nodiscard]] std::string hlo_module(const graph::Partitioned& program);

}  // namespace trainyard::pjrt
