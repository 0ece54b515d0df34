// Sums and products of a row's elements with one number a row, one after the other, as one product
// and one sum.
#pragma once

#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// Where there are more than one instruction takes: (x - mean) * root * weight + bias has few
// numbers a row, so that what the four of them make is cheaper than another pass over the elements.
void merge_scales_and_shifts(RowPlan& plan);

}  // namespace trainyard::compiler
