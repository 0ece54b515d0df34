// What the operators of AluOp compute: on float32 (the arithmetic of Vector, Scalar and GpSimd
// engines), on bit patterns, and on native 32-bit integers (GpSimd). One value and whole rows; rows
// are bit-equal to the one-value functions.
//
// Rules, the same on every host:
// - float32 throughout, every operation rounded once to nearest even, subnormals kept. Every NaN
// result is 0x7FC00000.
// - Comparisons and logical operators give 1 or 0; a NaN counts as true, as in NumPy.
// - maximum and minimum propagate NaN, as NumPy does; minus zero is below plus zero (assumed).
// - abs_max and abs_min return the signed operand, the second one when magnitudes are equal (NKI
// 0.6 nl.abs_max).
// - relu of a NaN is NaN and of minus zero is plus zero. rsqrt is 1 / sqrt in float64, rounded
// once.
// - power follows C's pow at the special values; mod has the sign of the divisor, fmod that of the
// dividend.
// - average exists only as a reduction. bypass gives its first operand.
// - Shifts by 32 or more give 0 (assumed); right_shift is logical (nki.api.shared).
// - Native integers wrap around (assumed; the GpSimd cores are ordinary processors). divide, rsqrt,
// reciprocal and
//   average have no native integer form.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numerics/dtype.h"
#include "numerics/operators.h"

namespace trainyard::numerics {

// float32 operators: every AluOp that is not bitwise, except average. The second operand of a
// one-input operator is ignored.
[[nodiscard]] float apply(AluOp op, float a, float b);
// out[i] = a[i] op b[i]. out may be a or b.
void apply(AluOp op, const float* a, const float* b, float* out, std::size_t n);
// out[i] = a[i] op b, or b op a[i] when reversed. out may be a. One-input operators ignore b and
// reversal.
void apply_scalar(AluOp op, const float* a, float b, bool reversed, float* out, std::size_t n);

// Can this operator reduce a row? add, subtract, multiply, maximum, minimum, abs_max, abs_min, the
// logical operators, average.
[[nodiscard]] bool is_float_reduction(AluOp op);
// The value that a reduction starts from when it is told to reset: 0, 1 or an infinity.
[[nodiscard]] float reduction_identity(AluOp op);
// Does a reduction by this operator depend on the order: add, subtract, multiply, average?
[[nodiscard]] bool is_chain(AluOp op);
// ((initial op x[0]) op x[1]) ... in index order, each step rounded: a lane of the machine takes
// one row and its elements arrive in order, so that is the order (assumed). average only adds: the
// caller, who knows the count, divides.
[[nodiscard]] float reduce(AluOp op, const float* x, std::size_t n, float initial);
// The same for `rows` rows that start `stride` floats apart: accumulators[r] = reduce(op, row r, n,
// accumulators[r]). Fast, because rows are independent.
void reduce_rows(AluOp op, const float* x, std::size_t rows, std::size_t stride, std::size_t n,
                 float* accumulators);
// The same of rows of another format that start `stride` bytes apart, widened to float32.
void reduce_rows(AluOp op, DType dtype, const std::byte* x, std::size_t rows, std::ptrdiff_t stride,
                 std::size_t n, float* accumulators);

// Bit patterns, zero-extended to 32 bits; the caller keeps the low bits of the result that its
// format has.
[[nodiscard]] std::uint32_t apply_bits(AluOp op, std::uint32_t a, std::uint32_t b);
void apply_bits(AluOp op, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out,
                std::size_t n);
void apply_bits_scalar(AluOp op, const std::uint32_t* a, std::uint32_t b, bool reversed,
                       std::uint32_t* out, std::size_t n);
[[nodiscard]] std::uint32_t reduce_bits(AluOp op, const std::uint32_t* x, std::size_t n,
                                        std::uint32_t initial);

// Native 32-bit integers.
[[nodiscard]] bool has_integer_form(AluOp op);
[[nodiscard]] std::int32_t apply_int32(AluOp op, std::int32_t a, std::int32_t b);
[[nodiscard]] std::uint32_t apply_uint32(AluOp op, std::uint32_t a, std::uint32_t b);
void apply_int32(AluOp op, const std::int32_t* a, const std::int32_t* b, std::int32_t* out,
                 std::size_t n);
void apply_uint32(AluOp op, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out,
                  std::size_t n);

}  // namespace trainyard::numerics
