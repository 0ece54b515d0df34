// Meshes: everybody writes to everybody, in one step a half.
#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

using Piece = Pairs::Piece;

std::optional<Halves> mesh(const Placement& placement) {
  if (placement.ranks < 2) return std::nullopt;
  Halves halves{.algorithm = "mesh"};
  halves.scatter = {
      Phase{.pairs = Pairs{.from = Piece::of_target, .to = Piece::of_target, .move = Move::add}}};
  halves.gather = {Phase{.pairs = Pairs{.from = Piece::of_source, .to = Piece::of_source}}};
  return halves;
}

Schedule single_step_mesh(const Placement& placement) {
  Schedule schedule{.algorithm = "single-step mesh", .ranks = placement.ranks};
  schedule.phases = {Phase{.pairs = Pairs{.move = Move::add}, .from_input = true}};
  return schedule;
}

}  // namespace trainyard::fabric
