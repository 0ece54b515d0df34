// Rings: every rank passes on to the next one what it got from the one before, both ways around, on
// as many channels as the links have room for. A full torus holds two rings without a common link.
// Each chunk goes in two slices, so that one moves while the other one is waited for.
#include <algorithm>

#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

namespace {

using Cycle = std::vector<std::int32_t>;  // places in the group, in the order of the ring

constexpr int slices = 2;

void append(Cycle& cycle, const std::vector<std::int32_t>& ranks) {
  cycle.insert(cycle.end(), ranks.begin(), ranks.end());
}

const std::vector<std::int32_t>& ranks_of(const Placement& placement, std::int64_t chip) {
  const auto at = std::ranges::find(placement.chips, chip) - placement.chips.begin();
  return placement.on_chip[static_cast<std::size_t>(at)];
}

// Two cycles through all chips of an n x n torus that share no link: one goes along each row but
// for its last link, where it takes the column; the other one has what is left, columns first.
std::vector<Cycle> cycles_of_torus(const Placement& placement) {
  const std::int32_t n = placement.torus;
  std::vector<Cycle> cycles(2);
  for (std::int32_t line = 0; line < n; ++line) {
    for (std::int32_t i = 0; i < n; ++i) {
      const std::int32_t along = (i - line + n) % n;
      const auto chip = [&](std::int32_t x, std::int32_t y) {
        return placement.torus_chips[static_cast<std::size_t>(x + n * y)];
      };
      append(cycles[0], ranks_of(placement, chip(along, line)));
      append(cycles[1], ranks_of(placement, chip(line, along)));
    }
  }
  return cycles;
}

std::vector<Cycle> cycles_of(const Placement& placement) {
  if (placement.torus > 0) return cycles_of_torus(placement);
  std::vector<Cycle> cycles(1);
  for (const auto& ranks : placement.on_chip) append(cycles[0], ranks);
  return cycles;
}

// One way around: the stripes of its slices, on one channel.
void add_way(Halves& halves, const Cycle& cycle, std::int16_t channel) {
  const auto ranks = static_cast<std::int32_t>(cycle.size());
  Stripe stripe{.place = std::vector<std::int32_t>(cycle.size())};
  for (std::int32_t i = 0; i < ranks; ++i)
    stripe.place[static_cast<std::size_t>(cycle[static_cast<std::size_t>(i)])] = i;
  for (int slice = 0; slice < slices; ++slice) {
    const auto number = static_cast<std::int16_t>(halves.stripes.size());
    halves.stripes.push_back(stripe);
    for (std::int32_t i = 0; i < ranks; ++i) {
      const std::int32_t before = (i - 1 + ranks) % ranks;
      Transfer one{.source = cycle[static_cast<std::size_t>(i)],
                   .target = cycle[static_cast<std::size_t>((i + 1) % ranks)],
                   .first = before,
                   .to = before,
                   .stripe = number,
                   .channel = channel,
                   .move = Move::add};
      halves.scatter[0].transfers.push_back(one);
      one.first = one.to = i;
      one.move = Move::copy;
      halves.gather[0].transfers.push_back(one);
    }
  }
}

}  // namespace

std::optional<Halves> ring(const Placement& placement) {
  if (placement.ranks < 2) return std::nullopt;
  Halves halves{.algorithm = "ring", .stripes = {}};
  const Phase around{.repeat = placement.ranks - 1, .shift = -1, .rings = true};
  halves.scatter = halves.gather = {around};
  std::int16_t channel = 0;
  for (Cycle cycle : cycles_of(placement)) {
    const int ways = placement.ranks == 2 ? 1 : 2;  // of two, the way back is the same
    for (int way = 0; way < ways; ++way) {
      for (int i = 0; i < placement.rings; ++i) add_way(halves, cycle, channel++);
      std::ranges::reverse(cycle);
    }
  }
  return halves;
}

}  // namespace trainyard::fabric
