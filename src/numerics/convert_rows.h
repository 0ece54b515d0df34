// Row conversions in vector registers, chosen at run time for the host's instruction set; bit-equal
// to the one-value definitions of convert.h, which call these for whole rows. Not for use outside
// convert.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numerics/convert.h"

namespace trainyard::numerics {

// All formats but packed ones, float32 and 64-bit integers.
void widen_row(DType dtype, const std::byte* source, float* destination, std::size_t n);
// The same formats, nearest even, row after row.
void narrow_to_nearest(DType dtype, const RowsOfFloats& rows, Overflow overflow);
// Floating-point formats but float8_e8m0fnu; one random word an element.
void narrow_row_stochastic(DType dtype, const float* source, const std::uint32_t* random,
                           std::byte* destination, std::size_t n, Overflow overflow);

}  // namespace trainyard::numerics
