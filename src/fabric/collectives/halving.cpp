// Recursive halving and doubling: pairs exchange half of what they hold, near ones first, then the
// gather runs the same pairs backwards. For groups of a power of two.
#include <bit>

#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

namespace {

// The bits of a place in the other order: near partners differ in its highest bit, and so exchange
// halves that lie together.
std::int32_t reversed(std::int32_t rank, int bits) {
  std::int32_t result = 0;
  for (int b = 0; b < bits; ++b) result |= ((rank >> b) & 1) << (bits - 1 - b);
  return result;
}

}  // namespace

std::optional<Halves> halving(const Placement& placement) {
  const std::int32_t ranks = placement.ranks;
  if (ranks < 2 || !std::has_single_bit(static_cast<std::uint32_t>(ranks))) return std::nullopt;
  const int bits = std::countr_zero(static_cast<std::uint32_t>(ranks));
  Halves halves{.algorithm = "halving"};
  Stripe& stripe = halves.stripes[0];
  for (std::int32_t r = 0; r < ranks; ++r) stripe.place.push_back(reversed(r, bits));
  for (int b = 0; b < bits; ++b) {
    const std::int32_t half = ranks >> (b + 1);
    Phase scatter, gather;
    for (std::int32_t r = 0; r < ranks; ++r) {
      const std::int32_t partner = r ^ (1 << b);
      const std::int32_t theirs = reversed(partner, bits) & ~(half - 1);
      const std::int32_t own = reversed(r, bits) & ~(half - 1);
      scatter.transfers.push_back({.source = r,
                                   .target = partner,
                                   .first = theirs,
                                   .count = half,
                                   .to = theirs,
                                   .move = Move::add});
      gather.transfers.push_back(
          {.source = r, .target = partner, .first = own, .count = half, .to = own});
    }
    halves.scatter.push_back(std::move(scatter));
    halves.gather.insert(halves.gather.begin(), std::move(gather));
  }
  return halves;
}

}  // namespace trainyard::fabric
