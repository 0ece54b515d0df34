// The derivative of gelu's form by tanh, which no instruction has.
#pragma once

#include "compiler/lowering/emitter.h"

namespace trainyard::compiler {

// Of x's elements, into `to`; what is between is float32.
void emit_gelu_tanh_slope(Emitter& emitter, const isa::Tile& to, const isa::Tile& x);

}  // namespace trainyard::compiler
