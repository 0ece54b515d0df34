// Which reductions of a tensor program the engines compute.
#pragma once

#include <optional>

#include "graph/module.h"
#include "numerics/alu.h"

namespace trainyard::compiler {

// The operator of a region that applies one to its two arguments; nothing where it does more, or
// where an engine does not reduce this type by it with all digits.
[[nodiscard]] std::optional<numerics::AluOp> reduction_of(const graph::Region& region,
                                                          graph::ElementType type);

// The value that changes nothing, where it is one number in every format.
[[nodiscard]] std::optional<double> identity_of(numerics::AluOp op);

}  // namespace trainyard::compiler
