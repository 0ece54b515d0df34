// Division in float32. No instruction divides: a quotient is the dividend times the reciprocal of
// the divisor, up to 1.5 units in the last place off, and infinite where the divisor is so small
// that its reciprocal is. This pass writes a correction behind the quotients whose last bit
// matters.
#pragma once

#include "graph/module.h"
#include "graph/precision.h"

namespace trainyard::compiler {

// Corrects, by default, the quotients whose value reaches a comparison, a rounding to whole
// numbers or a cast to integers through operations that only move or choose values, and those that
// reach a result so and are not computed from functions that round (norms, softmax); all or none of
// them where `division` says so. A corrected quotient is exact where float32 holds it (41 / 41, 3.5
// / 0.5), at most 1.5 units off elsewhere, and finite for divisors down to the least subnormal.
void correct_quotients(graph::Module& module, graph::Precision::Division division);

}  // namespace trainyard::compiler
