// Meshes: everybody writes to everybody, in one step a half.
#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

std::optional<Halves> mesh(const Placement& placement) {
  if (placement.ranks < 2) return std::nullopt;
  Halves halves{.algorithm = "mesh"};
  halves.scatter = halves.gather = {Phase{}};
  const auto transfers =
      static_cast<std::size_t>(placement.ranks) * static_cast<std::size_t>(placement.ranks - 1);
  halves.scatter[0].transfers.reserve(transfers);
  halves.gather[0].transfers.reserve(transfers);
  for (std::int32_t source = 0; source < placement.ranks; ++source) {
    for (std::int32_t target = 0; target < placement.ranks; ++target) {
      if (source == target) continue;
      Transfer one{.source = source, .target = target, .first = target, .to = target};
      one.move = Move::add;
      halves.scatter[0].transfers.push_back(one);
      one.first = one.to = source;
      one.move = Move::copy;
      halves.gather[0].transfers.push_back(one);
    }
  }
  return halves;
}

Schedule single_step_mesh(const Placement& placement) {
  Schedule schedule{.algorithm = "single-step mesh", .ranks = placement.ranks};
  schedule.phases = {Phase{.from_input = true}};
  for (std::int32_t source = 0; source < placement.ranks; ++source) {
    for (std::int32_t target = 0; target < placement.ranks; ++target) {
      if (source == target) continue;
      schedule.phases[0].transfers.push_back(
          {.source = source, .target = target, .count = placement.ranks, .move = Move::add});
    }
  }
  return schedule;
}

}  // namespace trainyard::fabric
