// How busy a collective keeps each single link, for pictures. Price has the busiest one of a kind.
#pragma once

#include <string>
#include <vector>

#include "fabric/select.h"

namespace trainyard::fabric {

struct LinkLoad {
  std::string name, kind;  // "chip 3, twin link"; "twin link"
  double share = 0;        // of what it could carry in the time of the collective
};

// The links and switch cores of the network, in their order, while `schedules[g]` run on
// `groups[g]` and take `time`.
[[nodiscard]] std::vector<LinkLoad> link_loads(const Network& network,
                                               std::span<const Group> groups,
                                               std::span<const Schedule> schedules, double bytes,
                                               base::Ticks time, Memory memory = Memory::hbm);

}  // namespace trainyard::fabric
