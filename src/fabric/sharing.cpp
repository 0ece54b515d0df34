#include "fabric/sharing.h"

#include <algorithm>
#include <limits>

namespace trainyard::fabric {

void Sharing::freeze(const Demand& demand, std::uint32_t transfer, double rate,
                     std::span<double> rates) {
  frozen_[transfer] = 1;
  rates[transfer] = rate;
  for (std::uint32_t u = demand.begin[transfer]; u < demand.begin[transfer + 1]; ++u) {
    const std::uint32_t resource = demand.resource[u];
    left_[resource] = std::max(left_[resource] - rate * demand.weight[u], 0.0);
    weight_[resource] -= demand.weight[u];
    --open_[resource];
  }
}

// The water rises in all transfers alike until a resource is full: its transfers keep that rate,
// the others rise on.
void Sharing::share(const Demand& demand, std::span<const std::uint32_t> active,
                    std::span<double> rates) {
  const std::size_t resources = demand.capacity.size();
  left_.assign(demand.capacity.begin(), demand.capacity.end());
  weight_.assign(resources, 0);
  open_.assign(resources, 0);
  first_.assign(resources + 1, 0);
  frozen_.assign(demand.begin.size(), 0);
  for (const std::uint32_t f : active) {
    for (std::uint32_t u = demand.begin[f]; u < demand.begin[f + 1]; ++u) {
      weight_[demand.resource[u]] += demand.weight[u];
      ++open_[demand.resource[u]];
      ++first_[demand.resource[u] + 1];
    }
  }
  used_.clear();
  for (std::uint32_t r = 0; r < resources; ++r) {
    if (first_[r + 1] > 0) used_.push_back(r);
    first_[r + 1] += first_[r];
  }
  users_.resize(first_[resources]);
  for (const std::uint32_t f : active) {
    for (std::uint32_t u = demand.begin[f]; u < demand.begin[f + 1]; ++u)
      users_[first_[demand.resource[u]]++] = f;
  }
  // first_[r] is now the end of r's users, and the begin of r + 1's.
  constexpr double tie = 1 + 1e-9;
  std::size_t rest = active.size();
  while (rest > 0) {
    double level = std::numeric_limits<double>::infinity();
    for (const std::uint32_t r : used_) level = std::min(level, left_[r] / weight_[r]);
    if (level * tie >= demand.rate_max) break;
    std::erase_if(used_, [&](std::uint32_t r) {
      if (left_[r] > level * tie * weight_[r]) return false;
      for (std::uint32_t u = r == 0 ? 0 : first_[r - 1]; u < first_[r]; ++u) {
        if (frozen_[users_[u]] != 0) continue;
        freeze(demand, users_[u], level, rates);
        --rest;
      }
      return true;
    });
    std::erase_if(used_, [&](std::uint32_t r) { return open_[r] == 0; });
  }
  if (rest == 0) return;
  for (const std::uint32_t f : active) {
    if (frozen_[f] == 0) rates[f] = demand.rate_max;
  }
}

}  // namespace trainyard::fabric
