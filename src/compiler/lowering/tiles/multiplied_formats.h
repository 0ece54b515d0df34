// Which formats the tensor engine multiplies.
#pragma once

#include "isa/core/tile.h"
#include "machine/core.h"

namespace trainyard::compiler {

// True for formats whose products the tensor engine of that core sums in float32.
[[nodiscard]] bool multiplies(isa::DType left, isa::DType right, const machine::Core& core);

}  // namespace trainyard::compiler
