// What collectives of the same ranks cost at any size: their schedules are laid on the network and
// folded once, and only the bytes change. For planners and kernels that ask often; one question is
// fabric::price().
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fabric/fold.h"
#include "fabric/select.h"

namespace trainyard::fabric {

class CostTable {
 public:
  // `network` must outlive this and stay as it is.
  explicit CostTable(const Network& network) : network_(network) {}

  // The same as fabric::price(); with faults or late ranks nothing is kept.
  [[nodiscard]] Price price(CollectiveOp operation, double bytes, std::span<const Group> groups,
                            const Options& options = {});

 private:
  // One algorithm for these groups, for a buffer of one byte.
  struct Way {
    std::string algorithm;
    std::int64_t steps = 0;
    std::vector<Schedule> schedules;  // of each group
    base::Ticks waits;                // one after the other, whatever the bytes
    // Of many ranks it is laid out when its waits alone do not rule it out.
    std::optional<Problem> problem = {};
    double seconds = 0;       // that each byte takes at least
    double ring_seconds = 0;  // and in steps of rings, beside the waits
    std::optional<Folded> folded = {};

    [[nodiscard]] base::Ticks least(double bytes) const;
  };
  using Key = std::tuple<CollectiveOp, std::vector<Group>, std::int32_t, bool, Memory>;

  [[nodiscard]] std::vector<Way> ways(CollectiveOp operation, std::span<const Group> groups,
                                      const Options& options) const;
  void lay_out(Way& way, std::span<const Group> groups, const Options& options) const;
  [[nodiscard]] Price fastest(std::vector<Way>& ways, double bytes, std::span<const Group> groups,
                              const Options& options) const;
  // Nothing where it takes longer than `best`, or too many events beside it.
  [[nodiscard]] std::optional<Price> measured(Way& way, double bytes,
                                              const std::optional<Price>& best,
                                              const Options& options) const;

  const Network& network_;
  std::map<Key, std::vector<Way>> known_;
};

}  // namespace trainyard::fabric
