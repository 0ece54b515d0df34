// One element picked from each row, as a loss picks the logit of each label: instead of a long
// value made so that one of its elements can be read, that element is computed; and a gradient that
// is zero but for one element a row is that element. It moves gathers and scatters and changes no
// result but by what engines round otherwise.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

void move_row_picks(graph::Module& module);

}  // namespace trainyard::compiler
