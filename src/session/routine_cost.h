// How long the GpSimd cores take for an operation that no instruction computes. An estimate: they
// run code that nobody has published, at the rate of the instructions whose figures are known.
#pragma once

#include "base/units.h"
#include "graph/module.h"
#include "machine/machine.h"

namespace trainyard::session {

// `module`: its main holds the operation and what it reads. Bytes of HBM and elements through the
// lanes, whichever takes longer; loops of an operation's own (the comparisons of a sort, the
// products of a convolution) count as elements.
[[nodiscard]] base::Ticks routine_time(const graph::Module& module,
                                       const machine::Machine& machine);

}  // namespace trainyard::session
