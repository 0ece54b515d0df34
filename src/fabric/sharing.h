// Max-min fair sharing: every transfer gets the largest rate that takes nothing from a slower one;
// where priorities differ, rates are compared as multiples of their shares.
// Pure arithmetic: resources, transfers, rates; no time.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace trainyard::fabric {

// Transfers and resources by index. A transfer of weight w takes w times its rate from a resource.
struct Demand {
  std::span<const double> capacity;      // of each resource, per second
  std::span<const std::uint32_t> begin;  // of transfer f, its uses are begin[f] .. begin[f + 1]
  std::span<const std::uint32_t> resource;
  std::span<const double> weight;
  double rate_max = 0;  // no transfer goes faster
  // What each transfer gets of a full resource, in proportion; empty: all the same.
  std::span<const float> share = {};

  [[nodiscard]] double share_of(std::uint32_t transfer) const {
    return share.empty() ? 1 : static_cast<double>(share[transfer]);
  }
};

class Sharing {
 public:
  // The rates of `active` transfers, written to rates[f]; others are not touched. All transfers
  // at work that use a resource of theirs which could be used up are among them. The work grows
  // with their number alone.
  void share(const Demand& demand, std::span<const std::uint32_t> active, std::span<double> rates);

 private:
  void count(const Demand& demand, std::span<const std::uint32_t> active);
  void freeze(const Demand& demand, std::uint32_t transfer, double level, std::span<double> rates);
  // Those of the largest share go as fast as any transfer can.
  void freeze_largest(const Demand& demand, std::span<const std::uint32_t> active,
                      std::span<double> rates);

  // By resource, in force for those in `used_`: capacity left, weight of what is not frozen and how
  // many they are, and its transfers: users_[first_[r]] .. users_[end_[r]].
  std::vector<double> left_, weight_;
  std::vector<std::uint32_t> open_, first_, end_, users_, used_;
  std::vector<std::uint8_t> frozen_;
  std::map<double, std::size_t> shares_;  // of transfers that are not frozen: how many have each
};

}  // namespace trainyard::fabric
