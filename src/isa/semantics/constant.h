// Numbers of the program as elements of a dtype: what memset and the selects store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerics/dtype.h"

namespace trainyard::isa {

// Is `value` an integer in the range of an integer dtype?
[[nodiscard]] bool holds_integer(numerics::DType dtype, double value);

// The pattern of `value`: exact for integers in range, else saturated; other formats round the
// float32 value. 0 in packed formats.
[[nodiscard]] std::uint32_t constant_bits(numerics::DType dtype, double value);

// A dense row of n elements with the same pattern.
void fill_row(numerics::DType dtype, std::uint32_t bits, std::size_t n,
              std::vector<std::byte>& row);

// A dense row of int32 values as elements: exact in 32-bit integers, else through float32.
void constant_row(numerics::DType dtype, const std::vector<std::int32_t>& values,
                  std::vector<std::byte>& row);

}  // namespace trainyard::isa
