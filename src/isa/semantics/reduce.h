// Reductions of groups of neighbouring elements in each row, as tensor_reduce needs them.
#pragma once

#include "isa/semantics/execution.h"
#include "numerics/operators.h"

namespace trainyard::isa::reduce {

// dst[p, g] = op over the g-th `group` elements of row p, one after the other in fp32, each step
// rounded; times -1 when negated. subtract starts with a group's first element, the others with the
// operator's identity (assumed; the starting value shows only for subtract and logical operators).
void floats(const Tile& dst, const Tile& data, numerics::AluOp op, std::int64_t group, bool negate,
            Execution& execution);

// The same on bit patterns.
void bits(const Tile& dst, const Tile& data, numerics::AluOp op, std::int64_t group,
          Execution& execution);

}  // namespace trainyard::isa::reduce
