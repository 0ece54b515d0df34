// Values that reshapes take each other's shape from get the dimensions that all their shapes share:
// a group norm reduces [N, groups, C / groups * H * W] and scales [N, C, H, W], and is one pass
// over rows of [N, groups, C / groups, H, W].
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

// Where a dimension that is summed by rows is several of those that others read apart.
void share_dims(graph::Module& module);

}  // namespace trainyard::compiler
