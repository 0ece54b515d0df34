// Stages: a mesh along one axis of the group after the other, cores of a chip, sled, rack. Each
// leaves a rank with a smaller share of the sum. The switch mesh does it in stripes that begin at
// different levels, so that the links of all levels are busy at once.
#include <algorithm>

#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

namespace {

using Order = std::vector<std::size_t>;  // axes, the one of the first stage first

// Places number the axes in that order, the first one most significant: what a stage sends to a
// peer lies together.
std::vector<std::int32_t> places(const Placement& placement, const Order& order) {
  std::vector<std::int32_t> result;
  for (std::size_t r = 0; r < static_cast<std::size_t>(placement.ranks); ++r) {
    std::int32_t place = 0;
    for (const std::size_t axis : order)
      place = place * placement.axes[axis] + placement.at[axis][r];
    result.push_back(place);
  }
  return result;
}

void add_stripe(Halves& halves, const Placement& placement, const Order& order, double weight) {
  const auto stripe = static_cast<std::int16_t>(halves.stripes.size());
  const std::vector<std::int32_t> place = places(placement, order);
  std::vector<std::int32_t> rank_at(place.size());
  for (std::size_t r = 0; r < place.size(); ++r)
    rank_at[static_cast<std::size_t>(place[r])] = static_cast<std::int32_t>(r);
  std::int32_t block = placement.ranks;
  for (std::size_t stage = 0; stage < order.size(); ++stage) {
    const std::int32_t size = placement.axes[order[stage]];
    block /= size;
    halves.scatter[stage].lines.push_back({.stripe = stripe,
                                           .block = block,
                                           .size = size,
                                           .piece = Lines::Piece::of_target,
                                           .move = Move::add});
    halves.gather[order.size() - 1 - stage].lines.push_back(
        {.stripe = stripe, .block = block, .size = size, .piece = Lines::Piece::of_source});
  }
  halves.stripes.push_back({weight, place, rank_at});
}

// The cores of a chip come first, if the group has several.
Order cores_first(const Placement& placement) { return placement.axes[0] > 1 ? Order{0} : Order{}; }

Halves empty(const char* algorithm, std::size_t stages) {
  Halves halves{.algorithm = algorithm, .stripes = {}};
  halves.scatter.resize(stages);
  halves.gather.resize(stages);
  return halves;
}

}  // namespace

std::optional<Halves> hierarchical(const Placement& placement) {
  const std::size_t axes = placement.axes.size();
  // Inside one server of a torus the runtime has meshes, halving and rings.
  if (axes < 2 || (!placement.spans_switches && axes < 4)) return std::nullopt;
  Order order = cores_first(placement);
  for (std::size_t axis = 1; axis < axes; ++axis) order.push_back(axis);
  Halves halves = empty("hierarchical", order.size());
  add_stripe(halves, placement, order, 1);
  return halves;
}

std::optional<Halves> switch_mesh(const Placement& placement) {
  const std::size_t axes = placement.axes.size();
  if (axes < 3 || !placement.spans_switches) return std::nullopt;
  Halves halves = empty("switch mesh", cores_first(placement).size() + axes - 1);
  for (std::size_t first = 1; first < axes; ++first) {
    Order order = cores_first(placement);
    for (std::size_t i = 0; i + 1 < axes; ++i) order.push_back(1 + (first - 1 + i) % (axes - 1));
    // The first level moves most of a stripe's bytes: (n - 1) / n of them.
    const double n = placement.axes[first];
    add_stripe(halves, placement, order, placement.axis_rate[first] * n / (n - 1));
  }
  return halves;
}

}  // namespace trainyard::fabric
