// The integer sequences that iota and affine_select make: a pattern of up to four nested counters.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/core/operand.h"

namespace trainyard::isa::affine {

[[nodiscard]] std::int64_t elements(const Pattern& pattern);

// offset + the sum of step * index over the pattern, last dimension fastest, in wrapping int32
// arithmetic.
void fill(const Pattern& pattern, std::int32_t offset, std::vector<std::int32_t>& values);

// a + b and a * b, wrapping like the GpSimd cores (assumed).
[[nodiscard]] constexpr std::int32_t add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
[[nodiscard]] constexpr std::int32_t multiply(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

}  // namespace trainyard::isa::affine
