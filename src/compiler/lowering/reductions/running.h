// Running sums, products and maxima along a dimension, and linear recurrences, by
// tensor_tensor_scan on the Vector engine.
#pragma once

#include "compiler/lowering/emit/strided.h"
#include "compiler/lowering/values/segment.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

// True for the operators that the instruction runs by; in float32.
[[nodiscard]] bool runs(numerics::AluOp op);

// to[..., i, ...] = from[..., 0, ...] op ... op from[..., i, ...].
void run_along(Emitter& emitter, numerics::AluOp op, const Strided& from, const Strided& to,
               std::size_t dim);

// A linear scan (graph/linear_scan.h) along the last dimension, all values in float32.
void scan_linearly(Segment& segment, const Strided& factors, const Strided& summands,
                   const Strided& initial, const Strided& to);

}  // namespace trainyard::compiler
