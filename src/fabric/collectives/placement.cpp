#include "fabric/collectives/placement.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace trainyard::fabric {

namespace {

using machine::Join;

// Where the ranks of a group are on one axis.
struct Axis {
  std::vector<std::int64_t> coordinates;  // of each rank
  double rate = 0;
  bool is_cable = false;

  [[nodiscard]] std::vector<std::int64_t> distinct() const {
    const std::set<std::int64_t> found(coordinates.begin(), coordinates.end());
    return {found.begin(), found.end()};
  }
};

// Both as one axis, `outer` being the more significant one. Of m outer members, an exchange among
// all passes (m - 1) / m of its bytes on.
Axis joined(const Axis& inner, const Axis& outer) {
  const std::int64_t stride = *std::ranges::max_element(inner.coordinates) + 1;
  const auto members = static_cast<double>(outer.distinct().size());
  Axis result{.coordinates = inner.coordinates,
              .rate = std::min(inner.rate, outer.rate * members / (members - 1))};
  for (std::size_t i = 0; i < result.coordinates.size(); ++i)
    result.coordinates[i] += outer.coordinates[i] * stride;
  return result;
}

// A group fills a box where it is as large as the product of its axes.
bool is_box(const std::vector<Axis>& axes, std::int64_t ranks) {
  std::int64_t size = 1;
  for (const Axis& axis : axes) size *= static_cast<std::int64_t>(axis.distinct().size());
  return size == ranks;
}

// Where a group ends in the middle of a rack or a sled, the outer levels are taken as one.
void make_box(std::vector<Axis>& axes, std::int64_t ranks) {
  while (axes.size() > 1 && !is_box(axes, ranks)) {
    const Axis outer = std::move(axes.back());
    axes.pop_back();
    axes.back() = joined(axes.back(), outer);
  }
}

// Where chips hold different numbers of ranks: parts as large as their greatest common divisor, and
// in each part its ranks.
std::vector<Axis> equal_parts(const Placement& placement, double inner_rate, double outer_rate) {
  std::int64_t size = 0;
  for (const auto& ranks : placement.on_chip)
    size = std::gcd(size, static_cast<std::int64_t>(ranks.size()));
  if (size == 1) return {};
  std::vector<Axis> axes{{.coordinates = {}, .rate = inner_rate},
                         {.coordinates = {}, .rate = outer_rate}};
  for (Axis& axis : axes) axis.coordinates.resize(static_cast<std::size_t>(placement.ranks));
  std::int64_t next = 0;
  for (const auto& ranks : placement.on_chip) {
    for (const std::int32_t rank : ranks) {
      axes[0].coordinates[static_cast<std::size_t>(rank)] = next % size;
      axes[1].coordinates[static_cast<std::size_t>(rank)] = next++ / size;
    }
  }
  return axes;
}

// Each rank's place among the values of an axis that the group has.
std::vector<std::int32_t> places_on(const Axis& axis) {
  const std::vector<std::int64_t> distinct = axis.distinct();
  std::vector<std::int32_t> at;
  for (const std::int64_t c : axis.coordinates)
    at.push_back(
        static_cast<std::int32_t>(std::ranges::lower_bound(distinct, c) - distinct.begin()));
  return at;
}

Levels levels_of(const std::vector<Axis>& axes) {
  Levels levels;
  for (const Axis& axis : axes) {
    levels.size.push_back(static_cast<std::int32_t>(axis.distinct().size()));
    levels.at.push_back(places_on(axis));
    levels.rate.push_back(axis.rate);
    levels.is_cable.push_back(axis.is_cable);
  }
  return levels;
}

void find_axes(Placement& placement, const Network& network, const Group& group) {
  const machine::System& system = network.system();
  std::vector<Axis> axes(1);
  axes[0].rate = network.channel();
  for (const std::int32_t rank : group)
    axes[0].coordinates.push_back(rank % network.ranks_per_chip());
  for (std::size_t l = 0; l < system.levels.size(); ++l) {
    Axis axis{.coordinates = {}, .rate = system.bytes_per_second(system.levels[l])};
    for (const std::int32_t rank : group)
      axis.coordinates.push_back(system.coordinate(network.chip_of(rank), l));
    if (axis.distinct().size() == 1) continue;
    const Join join = system.levels[l].join;
    if (join == Join::switched || join == Join::network) placement.spans_switches = true;
    axis.is_cable = join == Join::direct;
    axes.push_back(std::move(axis));
  }
  if (!is_box(axes, placement.ranks)) placement.levels = levels_of(axes);
  make_box(axes, placement.ranks);
  if (axes.size() == 1 && placement.chips.size() > 1)
    axes = equal_parts(placement, network.channel(), axes[0].rate);
  Levels found = levels_of(axes);
  placement.axes = std::move(found.size);
  placement.at = std::move(found.at);
  placement.axis_rate = std::move(found.rate);
}

// A ring each way uses a link of a torus once in each direction. It comes back on the only link of
// two chips, and on the port of a switch.
void find_rings(Placement& placement, const Network& network) {
  constexpr double rings_max = 4;
  const machine::System& system = network.system();
  double room = rings_max;
  for (std::size_t l = 0; l < system.levels.size(); ++l) {
    std::set<std::int64_t> members;
    for (const std::int64_t chip : placement.chips) members.insert(system.coordinate(chip, l));
    if (members.size() == 1) continue;
    const bool once = system.levels[l].join == Join::ring && placement.chips.size() > 2;
    const double rate = system.bytes_per_second(system.levels[l]);
    room = std::min(room, rate / (network.channel() * (once ? 1 : 2)));
  }
  if (placement.chips.size() > 1) placement.rings = static_cast<std::int16_t>(std::max(1.0, room));
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
  find_rings(placement, network);
  return placement;
}

}  // namespace trainyard::fabric
