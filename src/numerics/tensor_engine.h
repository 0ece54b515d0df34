// The arithmetic of the tensor engine for ordinary (not MX) operands: which sums are formed, in
// which order and with which rounding. It knows values and rows in memory, no tiles, no PSUM banks
// and no time. MX operands are in mx.h.
//
// One instruction computes, for every output (m, n), a chain of fused multiply-adds down the
// partitions in order:
//   sum = +0;  for k = 0 .. K-1: sum = RNE32(sum + stationary[k][m] * moving[k][n])
// and then writes RNE32(old + sum) or sum. The product enters the rounding exactly (it always fits
// in fp32 for 16-bit and narrower formats, apart from range). Subnormals are kept; every NaN result
// is the canonical 0x7FC00000.
//
// Sources: "Products of two <= 16-bit floats accumulated in fp32" (nki.isa.nc_matmul);
// "fp32_psum_tensor += fp32_matmul_output" (Trainium3 architecture guide, BF16 Matmul Results in
// PSUM), hence the separate addition of the old value. The order, the fp32 product, the kept
// subnormals and the NaN are assumptions (machine-reference 11.11 to 11.13).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerics/aligned_buffer.h"
#include "numerics/dtype.h"

namespace trainyard::numerics {

inline constexpr std::uint32_t tensor_engine_nan = 0x7FC00000;

// Rows of one operand: row r (a partition) starts at data + r * stride bytes; elements of a row are
// contiguous.
struct ConstRows {
  const std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;  // bytes from one row to the next
  DType dtype = DType::bfloat16;
};
struct Rows {
  std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;
  DType dtype = DType::float32;
};

// An MX operand as the vectorised product reads it (mx_detail.h).
struct MxDigits {
  AlignedBuffer<std::int32_t> digits, low_digits;
  AlignedBuffer<double> values;
  AlignedBuffer<float> scale;
  std::vector<std::uint8_t> flags;
  std::uint8_t all_flags = 0;
};

// Widened operands and the fp32 result of one instruction. Owned by the caller so that no call
// allocates once warm; holds no meaning between calls.
struct MatmulScratch {
  AlignedBuffer<float> stationary, moving, result, old;
  MxDigits mx_left, mx_right;
  AlignedBuffer<float> mx_columns;
};

// How PSUM rounds a result it stores as bfloat16. random_bits null: to nearest even. Otherwise
// stochastically: random_bits[m * N + n] is the random word that narrow() (convert.h) takes.
struct PsumRounding {
  const std::uint32_t* random_bits = nullptr;
};

// out[m][n] = sum or out + sum over fp32 operands, [K][M] and [K][N] with leading dimensions in
// elements. out is [M][N].
void matmul(const float* stationary, std::size_t stationary_ld, const float* moving,
            std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K, std::size_t M,
            std::size_t N, bool accumulate);

// One nc_matmul on stored rows. stationary: K rows of M elements; moving: K rows of N; out: M rows
// of N, float32 (4-byte aligned) or bfloat16. Operand formats: float32, tfloat32 (read as convert.h
// does), bfloat16, float16, float8_e3m4, float8_e4m3, float8_e4m3fn, float8_e5m2. Which formats may
// meet is the instruction's rule, not checked here. bfloat16 out: RNE32(old + sum) is rounded once
// more to bfloat16. The rows of out must not overlap the operands.
void matmul(ConstRows stationary, ConstRows moving, Rows out, std::size_t K, std::size_t M,
            std::size_t N, bool accumulate, MatmulScratch& scratch, PsumRounding rounding = {});

// Double-row mode: every partition holds two rows, [K][2][M] and [K][2][N]; the second row of a
// partition starts second_row bytes after the first. A processing element adds its two products
// exactly and rounds once to fp32; that sum enters the chain: sum = RNE32(sum + RNE32(s0 * m0 + s1
// * m1)). Formats: FP8 only, whose products and pair sums are exact before the rounding. Source for
// the pairing: Trainium2 architecture guide, Double FP8 Matmul Performance; the rounding is an
// assumption made after the one for MX (11.11).
void matmul_double_row(ConstRows stationary, std::ptrdiff_t stationary_second_row, ConstRows moving,
                       std::ptrdiff_t moving_second_row, Rows out, std::size_t K, std::size_t M,
                       std::size_t N, bool accumulate, MatmulScratch& scratch,
                       PsumRounding rounding = {});

// The plain definition of matmul: the loops above with std::fma. The fast path is proven bit-equal
// to it.
void matmul_reference(const float* stationary, std::size_t stationary_ld, const float* moving,
                      std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K,
                      std::size_t M, std::size_t N, bool accumulate);

// The same chain with a narrower accumulator, for studies of assumption 11.11: every sum is rounded
// (RNE) to this many significand bits, 2 to 24, with the exponent range of fp32. 24 is the
// definition. Slow.
void matmul_narrow(const float* stationary, std::size_t stationary_ld, const float* moving,
                   std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K,
                   std::size_t M, std::size_t N, bool accumulate, int significand_bits);

}  // namespace trainyard::numerics
