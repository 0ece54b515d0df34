// KangaRing: one rank of each pair, the primary, goes around with the pieces of both; the other one
// gets a second write of what passes. Half the steps of a ring, and fewer touches of HBM.
#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

namespace {

struct Pair {
  std::int32_t primary = 0, second = 0;
};

std::vector<Pair> pairs_of(const Placement& placement) {
  std::vector<Pair> pairs;
  for (const auto& ranks : placement.on_chip) {
    for (std::size_t i = 0; i + 1 < ranks.size(); i += 2) pairs.push_back({ranks[i], ranks[i + 1]});
  }
  return pairs;
}

void add_way(Halves& halves, std::span<const Pair> pairs, bool forward, std::int16_t channel) {
  const auto count = static_cast<std::int32_t>(pairs.size());
  const auto stripe = static_cast<std::int16_t>(halves.stripes.size());
  Stripe places{.place = std::vector<std::int32_t>(pairs.size() * 2)};
  const auto at = [&](std::int32_t i) {
    const std::int32_t wrapped = (i % count + count) % count;
    return pairs[static_cast<std::size_t>(forward ? wrapped : count - 1 - wrapped)];
  };
  for (std::int32_t i = 0; i < count; ++i) {
    const Pair pair = at(i);
    places.place[static_cast<std::size_t>(pair.primary)] = 2 * i;
    places.place[static_cast<std::size_t>(pair.second)] = 2 * i + 1;
    const auto add = [&](Phase& phase, std::int32_t source, std::int32_t target, std::int32_t piece,
                         std::int32_t pieces, Move move, std::int16_t on) {
      phase.transfers.push_back({source, target, piece, pieces, piece, stripe, on, move});
    };
    const std::int32_t before = 2 * ((i - 1 + count) % count);
    add(halves.scatter[0], pair.second, pair.primary, 0, 2 * count, Move::add, own_channel);
    add(halves.scatter[1], pair.primary, at(i + 1).primary, before, 2, Move::add, channel);
    add(halves.scatter[2], pair.primary, pair.second, 2 * i + 1, 1, Move::copy, own_channel);
    add(halves.gather[0], pair.second, pair.primary, 2 * i + 1, 1, Move::copy, own_channel);
    add(halves.gather[1], pair.primary, at(i + 1).primary, 2 * i, 2, Move::copy, channel);
    add(halves.gather[1], pair.primary, pair.second, 2 * i, 2, Move::duplicate, own_channel);
    // What came in the last step goes on to the second only.
    const std::int32_t last = 2 * ((i + 1) % count);
    add(halves.gather[2], pair.primary, pair.second, last, 2, Move::copy, own_channel);
  }
  halves.stripes.push_back(std::move(places));
}

}  // namespace

std::optional<Halves> kanga_ring(const Placement& placement) {
  const bool paired =
      placement.pairs_share_hbm && placement.is_even() && placement.on_chip[0].size() % 2 == 0;
  if (!paired || placement.ranks < 4) return std::nullopt;
  const std::vector<Pair> pairs = pairs_of(placement);
  Halves halves{.algorithm = "kangaring", .stripes = {}};
  const Phase around{
      .repeat = static_cast<std::int32_t>(pairs.size()) - 1, .shift = -2, .rings = true};
  halves.scatter = halves.gather = {Phase{}, around, Phase{}};
  for (std::int16_t i = 0; i < placement.rings; ++i) {
    add_way(halves, pairs, true, static_cast<std::int16_t>(2 * i));
    add_way(halves, pairs, false, static_cast<std::int16_t>(2 * i + 1));
  }
  return halves;
}

}  // namespace trainyard::fabric
