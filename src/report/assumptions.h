// Which figures that nobody has published a run leaned on: those of the units it used.
#pragma once

#include <vector>

#include "machine/machine.h"
#include "report/report.h"

namespace trainyard::report {

// The assumed and estimated figures of the units that `work` used, and of the parts of its energy,
// in the machine file's order.
[[nodiscard]] std::vector<Assumption> assumptions_of(const Work& work,
                                                     const economics::EnergyReport& energy,
                                                     const machine::Machine& machine);

}  // namespace trainyard::report
