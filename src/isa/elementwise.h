// Row loops that the elementwise instructions share.
#pragma once

#include "isa/execution.h"
#include "numerics/operators.h"

namespace trainyard::isa::elementwise {

// dst = a op b: on bit patterns for bitwise operators, else in fp32.
void binary(const Tile& dst, const Tile& a, const Tile& b, numerics::AluOp op,
            Execution& execution);

}  // namespace trainyard::isa::elementwise
