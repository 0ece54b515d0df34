// Several jobs on one fabric: what a collective takes while others, of ranks of their own, go on
// and on beside it. Whether they share anything is the network's to say.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fabric/select.h"

namespace trainyard::fabric {

struct Job {
  CollectiveOp operation = CollectiveOp::all_reduce;
  double bytes = 0;  // as in price()
  Group group;
  std::string algorithm = {};  // empty: the fastest one when it is alone
};

struct JobTime {
  std::string algorithm;
  base::Ticks alone;
  base::Ticks beside;     // of one run: of the first job, its only one; of others, the mean
  std::int64_t runs = 0;  // that ended until the first job did; with none, `beside` is 0
};

// All begin at once. The others begin again when they end, until the first job has ended. Throws
// InputError "fabric.beside" where two jobs have a rank in common, and what price() throws.
[[nodiscard]] std::vector<JobTime> beside(const Network& network, std::span<const Job> jobs,
                                          Memory memory = Memory::hbm,
                                          const std::function<void()>& look = nullptr);

}  // namespace trainyard::fabric
