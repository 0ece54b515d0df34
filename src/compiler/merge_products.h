// Pass: an elementwise operation on two tiles that an inner loop repeats with the same operands is
// done once.
#pragma once

#include "isa/core/program.h"

namespace trainyard::compiler {

// Drops tensor_tensor instructions whose operands nobody has written since one like them a few
// instructions ago, and lets their readers use its result: so AWS's compiler moves a product out of
// the innermost loop (second version of the fused Mamba tutorial), but not out of outer ones (first
// version). Programs with branches, meetings or explicit edges stay as they are.
void merge_products(isa::Program& program);

}  // namespace trainyard::compiler
