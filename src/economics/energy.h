// Activity and time to joules, by the energy table of a machine. Nobody has published the energy
// of a Trainium operation: the table is estimated, so every result is a bracket.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "economics/activity.h"
#include "economics/estimate.h"
#include "machine/machine.h"

namespace trainyard::economics {

// What one kind of activity cost.
struct EnergyPart {
  std::string_view key;  // of the machine figure: "energy.mac_bf16"; explain() says the rest
  std::int64_t count;    // operations or bytes; nanoseconds of one core for static power
  Estimate<Joules> energy;
};

struct EnergyReport {
  std::vector<EnergyPart> parts;  // those with a count, in the order of the table
  Estimate<Joules> total;

  // Mean power over `duration`, in watts. Zero for an empty run.
  [[nodiscard]] double watts(base::Ticks duration) const;
};

// The energy of a run of `duration` on `cores` cores of one chip. The chip's static power is shared
// by its cores: a run on one of eight pays an eighth.
[[nodiscard]] EnergyReport energy(const machine::Machine& machine, const Activity& activity,
                                  base::Ticks duration, std::int64_t cores = 1);

}  // namespace trainyard::economics
