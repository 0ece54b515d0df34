#include "fabric/collectives/placement.h"

#include <algorithm>
#include <map>
#include <set>

namespace trainyard::fabric {

namespace {

using machine::Join;

// The places of all ranks on one axis, if they are as many as the axis is long times the rest.
void add_axis(Placement& placement, const std::vector<std::int64_t>& coordinates, double rate,
              bool always) {
  const std::set<std::int64_t> distinct(coordinates.begin(), coordinates.end());
  if (distinct.size() == 1 && !always) return;
  placement.axes.push_back(static_cast<std::int32_t>(distinct.size()));
  placement.axis_rate.push_back(rate);
  std::vector<std::int32_t> at;
  for (const std::int64_t c : coordinates)
    at.push_back(static_cast<std::int32_t>(std::distance(distinct.begin(), distinct.find(c))));
  placement.at.push_back(std::move(at));
}

void find_axes(Placement& placement, const Network& network, const Group& group) {
  const machine::System& system = network.system();
  std::vector<std::int64_t> coordinates;
  for (const std::int32_t rank : group) coordinates.push_back(rank % network.ranks_per_chip());
  add_axis(placement, coordinates, network.channel(), true);
  for (std::size_t l = 0; l < system.levels.size(); ++l) {
    coordinates.clear();
    for (const std::int32_t rank : group)
      coordinates.push_back(system.coordinate(network.chip_of(rank), l));
    const bool spans =
        std::ranges::any_of(coordinates, [&](auto c) { return c != coordinates[0]; });
    const Join join = system.levels[l].join;
    if (spans && (join == Join::switched || join == Join::network)) placement.spans_switches = true;
    add_axis(placement, coordinates, system.bytes_per_second(system.levels[l]), false);
  }
  std::int64_t box = 1;
  for (const std::int32_t size : placement.axes) box *= size;
  if (box == placement.ranks) return;
  placement.axes.clear();
  placement.at.clear();
  placement.axis_rate.clear();
}

void find_torus(Placement& placement, const Network& network) {
  const auto& levels = network.system().levels;
  if (levels.size() < 2 || levels[0].join != Join::ring || levels[1].join != Join::ring) return;
  const std::int64_t side = levels[0].size;
  if (levels[1].size != side || side < 3) return;
  if (static_cast<std::int64_t>(placement.chips.size()) != side * side) return;
  std::vector<std::int64_t> chips = placement.chips;
  std::ranges::sort(chips);
  if (chips.front() % (side * side) != 0 || chips.back() - chips.front() != side * side - 1) return;
  placement.torus = static_cast<std::int32_t>(side);
  placement.torus_chips = chips;
}

}  // namespace

bool Placement::is_even() const {
  return std::ranges::all_of(on_chip, [&](const auto& r) { return r.size() == on_chip[0].size(); });
}

Placement place(const Network& network, const Group& group) {
  Placement placement;
  placement.ranks = static_cast<std::int32_t>(group.size());
  std::map<std::int64_t, std::size_t> seen;
  for (std::int32_t i = 0; i < placement.ranks; ++i) {
    const std::int64_t chip = network.chip_of(group[static_cast<std::size_t>(i)]);
    const auto [found, is_new] = seen.try_emplace(chip, placement.chips.size());
    if (is_new) {
      placement.chips.push_back(chip);
      placement.on_chip.emplace_back();
    }
    placement.on_chip[found->second].push_back(i);
  }
  placement.pairs_share_hbm = network.system().chip.chip.hbm.cores_per_stack > 1;
  find_axes(placement, network, group);
  find_torus(placement, network);
  return placement;
}

}  // namespace trainyard::fabric
