// Exact conversions among all number formats of dtype.h: one value, rows of values, and packed
// formats. These definitions are the reference; fast paths for rows are proven bit-equal to them.
// No block scaling here (mx.h).
//
// Rules, the same on every host:
// - Every conversion between different formats goes through float32, as the machine's engines and
// DMA do (NKI 0.6
//   tensor_copy, dma_copy). So int32 -> int32 is a copy, int32 -> int16 loses the bits above 2^24.
// - float32 -> integer rounds to nearest even and saturates (NKI 0.6.0 release notes); NaN becomes
// 0 (assumed).
// - bool is 1 for everything but zero, so also for NaN, as in NumPy (assumed).
// - A NaN becomes the quiet NaN of the new format with its sign kept and its payload dropped
// (assumed). Formats without
//   NaN (float4_e2m1fn) get 0.
// - tfloat32 rounds to 10 mantissa bits when written; when read, the 13 bits below are ignored
// (assumed).
// - float8_e8m0fnu has no sign and no zero: zero, negative values and values that round above 2^127
// become NaN, positive
//   values below 2^-127 become 2^-127; halfway goes up.
// - Subnormal numbers are kept everywhere (assumed).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/dtype.h"

namespace trainyard::numerics {

enum class RoundingMode : std::uint8_t {
  nearest_even,
  stochastic,  // up with a probability equal to the discarded fraction of the last kept place
};

// What a finite value beyond the format's largest becomes after rounding.
enum class Overflow : std::uint8_t {
  format,  // infinity where the format has one, NaN in float8_e4m3fn and float8_e8m0fnu, largest in
           // float4_e2m1fn
  saturate,  // the largest finite value of its sign; infinity too (OCP FP8 "saturating" mode)
};

// How to fit a float32 into a narrower format. Integers always saturate.
// Casts use the default; quantize_mx saturates. Which one the device's FP8 configuration registers
// select for casts is not published (assumed).
struct Narrowing {
  RoundingMode rounding = RoundingMode::nearest_even;
  Overflow overflow = Overflow::format;
  std::uint32_t random_bits =
      0;  // uniform; only the stochastic mode of the one-value functions reads them
};

// The value of one element; `bits` holds its pattern in the low bits. All formats but packed and
// 64-bit ones.
[[nodiscard]] float to_float(DType dtype, std::uint32_t bits);

// The pattern of `value` in `dtype`. All formats but packed and 64-bit ones.
// Stochastic: the discarded part of the last kept place, as a 32-bit fraction, plus random_bits
// rounds up when it carries.
[[nodiscard]] std::uint32_t from_float(DType dtype, float value, Narrowing narrowing = {});

// Rows of n contiguous elements of any alignment; source and destination must not overlap. Any
// format but packed.
void widen(DType dtype, const std::byte* source, float* destination, std::size_t n);

// `random` holds one word an element and is read only when narrowing.rounding is stochastic (then
// it must have n words).
void narrow(DType dtype, const float* source, std::byte* destination, std::size_t n,
            Narrowing narrowing = {}, std::span<const std::uint32_t> random = {});

// The same for rows of n elements, one after the other, to nearest even. Strides are in bytes from
// row to row.
struct RowsOfFloats {
  const std::byte* source;
  std::ptrdiff_t source_stride;
  std::byte* destination;
  std::ptrdiff_t stride;
  std::size_t rows, n;
};
void narrow_rows(DType dtype, const RowsOfFloats& rows, Overflow overflow = Overflow::format);

// Equal formats: a copy of the bytes, NaN and padding included; also for packed formats. Otherwise
// via float32.
void convert(DType from, const std::byte* source, DType to, std::byte* destination, std::size_t n,
             Narrowing narrowing = {}, std::span<const std::uint32_t> random = {});

// Packed formats. One packed word holds four elements, element 0 in the lowest byte or nibble.
[[nodiscard]] std::array<float, 4> unpack(DType packed, std::uint32_t word);
[[nodiscard]] std::uint32_t pack(DType packed, const std::array<float, 4>& values,
                                 Narrowing narrowing = {});
// Between n packed words and 4 n stored elements of element_of(packed), without any rounding. 8-bit
// elements are already in order; FP4 elements move between nibbles and bytes.
void unpack(DType packed, const std::byte* words, std::byte* elements, std::size_t n);
void pack(DType packed, const std::byte* elements, std::byte* words, std::size_t n);

}  // namespace trainyard::numerics
