// Time as cycles, seconds and dollars.
#pragma once

#include "base/units.h"
#include "machine/machine.h"
#include "session/executable.h"

namespace trainyard::session {

// Rent of so many cores, on the first basis of the price list; no energy.
[[nodiscard]] Spent spent(const machine::Machine& machine, base::Ticks time, double cores);

}  // namespace trainyard::session
