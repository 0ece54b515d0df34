// Where stochastic rounding begins in the runs of one program: each rounds by random bits of its
// own, as it would on a device whose generators run on.
#pragma once

#include <cstdint>

#include "machine/machine.h"

namespace trainyard::session {

class RoundingSeeds {
 public:
  explicit RoundingSeeds(const machine::Machine& machine)
      : next_(static_cast<std::uint32_t>(machine.core.policy.stochastic_rounding_seed)) {}

  // The seed of the next run: the machine's first.
  [[nodiscard]] std::uint32_t next() { return next_++; }

 private:
  std::uint32_t next_;
};

}  // namespace trainyard::session
