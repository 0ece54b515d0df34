#include "fabric/sharing.h"

#include <algorithm>
#include <limits>

namespace trainyard::fabric {

void Sharing::freeze(const Demand& demand, std::uint32_t transfer, double level,
                     std::span<double> rates) {
  const double share = demand.share_of(transfer);
  frozen_[transfer] = 1;
  rates[transfer] = std::min(level * share, demand.rate_max);
  for (std::uint32_t u = demand.begin[transfer]; u < demand.begin[transfer + 1]; ++u) {
    const std::uint32_t resource = demand.resource[u];
    left_[resource] = std::max(left_[resource] - rates[transfer] * demand.weight[u], 0.0);
    weight_[resource] -= demand.weight[u] * share;
    --open_[resource];
  }
  const auto counted = shares_.find(share);
  if (--counted->second == 0) shares_.erase(counted);
}

void Sharing::freeze_largest(const Demand& demand, std::span<const std::uint32_t> active,
                             std::span<double> rates) {
  const double largest = shares_.rbegin()->first;
  for (const std::uint32_t f : active) {
    if (frozen_[f] == 0 && demand.share_of(f) == largest)
      freeze(demand, f, demand.rate_max / largest, rates);
  }
}

// The transfers of each resource, and what they weigh.
void Sharing::count(const Demand& demand, std::span<const std::uint32_t> active) {
  const std::size_t resources = demand.capacity.size();
  for (std::vector<double>* each : {&left_, &weight_}) each->resize(resources, 0);
  for (auto* each : {&open_, &first_, &end_}) each->resize(resources, 0);
  frozen_.resize(std::max(frozen_.size(), demand.begin.size()), 0);
  shares_.clear();
  used_.clear();
  for (const std::uint32_t f : active) {
    const double share = demand.share_of(f);
    frozen_[f] = 0;
    ++shares_[share];
    for (std::uint32_t u = demand.begin[f]; u < demand.begin[f + 1]; ++u) {
      const std::uint32_t r = demand.resource[u];
      if (open_[r]++ == 0) {
        used_.push_back(r);
        left_[r] = demand.capacity[r];
        weight_[r] = 0;
      }
      weight_[r] += demand.weight[u] * share;
    }
  }
  std::uint32_t at = 0;
  for (const std::uint32_t r : used_) {
    first_[r] = end_[r] = at;
    at += open_[r];
  }
  users_.resize(at);
  for (const std::uint32_t f : active) {
    for (std::uint32_t u = demand.begin[f]; u < demand.begin[f + 1]; ++u)
      users_[end_[demand.resource[u]]++] = f;
  }
}

// The water rises in all transfers alike, in each by its share, until a resource is full: its
// transfers keep that rate, the others rise on.
void Sharing::share(const Demand& demand, std::span<const std::uint32_t> active,
                    std::span<double> rates) {
  count(demand, active);
  constexpr double tie = 1 + 1e-9;
  while (!shares_.empty()) {
    double level = std::numeric_limits<double>::infinity();
    for (const std::uint32_t r : used_) level = std::min(level, left_[r] / weight_[r]);
    if (level * tie >= demand.rate_max / shares_.rbegin()->first) {
      freeze_largest(demand, active, rates);
    } else {
      std::erase_if(used_, [&](std::uint32_t r) {
        if (left_[r] > level * tie * weight_[r]) return false;
        for (std::uint32_t u = first_[r]; u < end_[r]; ++u) {
          if (frozen_[users_[u]] == 0) freeze(demand, users_[u], level, rates);
        }
        return true;
      });
    }
    std::erase_if(used_, [&](std::uint32_t r) { return open_[r] == 0; });
  }
}

}  // namespace trainyard::fabric
