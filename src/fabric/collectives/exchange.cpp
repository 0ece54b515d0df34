// What moves without adding: all-to-all, permutations, messages, broadcasts, barriers.
#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

namespace {

Schedule of_one_step(const Placement& placement, const char* algorithm) {
  Schedule schedule{.algorithm = algorithm, .ranks = placement.ranks};
  schedule.phases = {Phase{.from_input = true}};
  return schedule;
}

}  // namespace

Schedule exchange(const Placement& placement) {
  Schedule schedule = of_one_step(placement, "direct");
  schedule.phases[0].pairs = Pairs{.from = Pairs::Piece::of_target, .to = Pairs::Piece::of_source};
  return schedule;
}

Schedule shift(const Placement& placement) {
  Schedule schedule = of_one_step(placement, "direct");
  for (std::int32_t source = 0; source < placement.ranks; ++source) {
    schedule.phases[0].transfers.push_back(
        {.source = source, .target = (source + 1) % placement.ranks, .count = placement.ranks});
  }
  return schedule;
}

Schedule send(const Placement& placement, std::int32_t source, std::int32_t target) {
  Schedule schedule = of_one_step(placement, "direct");
  schedule.phases[0].transfers = {{.source = source, .target = target, .count = placement.ranks}};
  return schedule;
}

Schedule barrier(const Placement& placement) {
  Schedule schedule = exchange(placement);
  schedule.algorithm = "semaphores";
  schedule.phases[0].pairs->is_empty = true;
  return schedule;
}

Schedule broadcast(const Placement& placement, const Halves& halves, std::int32_t root) {
  Schedule schedule{.algorithm = "scatter, " + halves.algorithm,
                    .ranks = placement.ranks,
                    .stripes = halves.stripes};
  Phase scatter{.from_input = true};
  for (std::size_t stripe = 0; stripe < halves.stripes.size(); ++stripe) {
    for (std::int32_t target = 0; target < placement.ranks; ++target) {
      if (target == root) continue;
      const auto& places = halves.stripes[stripe].place;
      const std::int32_t at = places.empty() ? target : places[static_cast<std::size_t>(target)];
      scatter.transfers.push_back({.source = root,
                                   .target = target,
                                   .first = at,
                                   .to = at,
                                   .stripe = static_cast<std::int16_t>(stripe)});
    }
  }
  schedule.phases.push_back(std::move(scatter));
  schedule.phases.insert(schedule.phases.end(), halves.gather.begin(), halves.gather.end());
  return schedule;
}

}  // namespace trainyard::fabric
