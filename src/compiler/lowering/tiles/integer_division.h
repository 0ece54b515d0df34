// Quotients and remainders of 32-bit integers, exactly: the machine divides in float32 only, whose
// quotient is corrected by whole products.
#pragma once

#include <optional>

#include "compiler/lowering/tiles/tile_math.h"

namespace trainyard::compiler {

// The quotient truncated towards zero. Dividing by zero gives all ones and leaves the dividend, as
// XLA has it.
struct Quotient {
  isa::Tile quotient, remainder;
};
// `known`: the divisor, where it is one number.
[[nodiscard]] Quotient divided(const TileMath& math, const isa::Tile& dividend,
                               const isa::Tile& divisor, std::optional<double> known);

}  // namespace trainyard::compiler
