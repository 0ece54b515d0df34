// What the GpSimd cores take for an operation that no instruction computes. An estimate: they run
// code that nobody has published, at the rate of the instructions whose figures are known.
#pragma once

#include "base/units.h"
#include "economics/activity.h"
#include "graph/module.h"
#include "machine/machine.h"

namespace trainyard::session {

struct RoutineCost {
  base::Ticks time{};
  economics::Activity activity{};
};

// `module`: its main holds the operation and what it reads. Bytes of HBM and elements through the
// lanes, whichever takes longer; loops of an operation's own (the comparisons of a sort, the
// products of a convolution, the stages of a Fourier transform, the columns of a factorization)
// count as elements, one a lane and cycle: never faster than the engine.
[[nodiscard]] RoutineCost routine_cost(const graph::Module& module,
                                       const machine::Machine& machine);

}  // namespace trainyard::session
