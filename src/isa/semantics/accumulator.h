// The Vector engine's accumulators, one fp32 a lane, which five instructions share: exponential,
// range_select, select_reduce, tensor_scalar_reduce and tensor_scalar_cumulative.
#pragma once

#include "isa/semantics/elementwise.h"

namespace trainyard::isa::accumulator {

// Prepares the lanes of `data` for an instruction and says what it reduces. reset_reduce starts at
// the operator's identity, load_reduce at `initial`, reduce goes on (core/accumulation.h).
[[nodiscard]] elementwise::Reduction start(ReduceCmd cmd, numerics::AluOp op, const Scalar& initial,
                                           const Tile& data, Execution& execution);

}  // namespace trainyard::isa::accumulator
