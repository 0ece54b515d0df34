// Which operations compute each element of their result from the elements of their operands in the
// same place.
#pragma once

#include "graph/op_kind.h"

namespace trainyard::graph {

[[nodiscard]] bool is_elementwise(OpKind kind);

}  // namespace trainyard::graph
