// The derivative of gelu's form by tanh, which no instruction has.
#pragma once

#include <numbers>

#include "compiler/lowering/emit/emitter.h"

namespace trainyard::compiler {

// x/2 (1 + tanh(factor (x + curve x^3))), where factor = sqrt(2/pi).
inline constexpr double gelu_curve = 0.044715;
inline constexpr double gelu_factor = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;

// Of x's elements, into `to`; what is between is float32.
void emit_gelu_tanh_slope(Emitter& emitter, const isa::Tile& to, const isa::Tile& x);

}  // namespace trainyard::compiler
