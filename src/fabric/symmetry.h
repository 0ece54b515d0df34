// Which ranks of a group do the same, where each sends to every other one: translations of the
// network that carry the group onto itself also carry its transfers and resources onto each other.
// Of schedules it knows nothing; fold.h finds what is alike in any of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/network.h"

namespace trainyard::fabric {

// Orbits of a group of translations that moves every rank. `each`: how many there are, and so how
// many ranks an orbit of ranks has; an orbit of resources has a divisor of that.
struct Orbits {
  std::uint32_t each = 1;
  std::vector<std::uint32_t> actors, resources;  // the first of the orbit that each belongs to
};

// What translations move: any rank, or whole chips, on which every rank keeps its place.
enum class Moves : std::uint8_t { ranks, chips };

// Actors are the places of `ranks`. Nothing where the group is no box, or the network is altered.
[[nodiscard]] std::optional<Orbits> orbits(const Network& network,
                                           const std::vector<std::int32_t>& ranks,
                                           Moves moves = Moves::ranks);

}  // namespace trainyard::fabric
