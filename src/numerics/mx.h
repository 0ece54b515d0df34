// Microscaling (MX) formats: quantise, dequantise and the tensor engine's product of MX operands.
// Knows rows in memory and the 8-partition blocks; where an instruction keeps its scale rows in
// SBUF is only offered as mx_scale_partition.
//
// A block is 32 values: 8 consecutive partitions x the 4 values packed in one x4 element. It shares
// one E8M0 scale 2^(byte-127) (byte 255 is NaN). Data of P partitions and F values a partition: P
// rows of F/4 packed elements; scales: P/8 rows of F/4 bytes. Sources: OCP MX v1.0;
// nki.isa.quantize_mx and nc_matmul_mx (NKI 0.6); MX deep dive.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/dtype.h"
#include "numerics/tensor_engine.h"

namespace trainyard::numerics {

inline constexpr std::size_t mx_block_partitions = 8;
inline constexpr std::size_t mx_pack = 4;  // values in one packed element
inline constexpr std::uint8_t mx_scale_nan = 255;

// Which power of two scales a block whose largest magnitude is a; Emax is the largest exponent of
// the element format.
enum class MxScale : std::uint8_t {
  doubled,  // 2^(floor(log2 a) - (Emax - 1)): NKI 0.5 and newer; quotients stay below 2^Emax,
            // nothing saturates
  ocp,      // 2^(floor(log2 a) - Emax): OCP sample algorithm, NKI before 0.5 and most offline
            // quantisers
};

struct MxQuantizeRule {
  MxScale scale = MxScale::doubled;
  bool saturate = true;  // clip quotients to the largest finite value; false: what the cast makes
                         // of them (e4m3fn NaN, e5m2 inf)
};

// The rows of a scale tile, one pointer a block row, so that contiguous (host) and
// quadrant-scattered (SBUF) layouts are alike.
using MxScaleRows = std::span<const std::uint8_t* const>;
using MxMutableScaleRows = std::span<std::uint8_t* const>;

// Partition of a scale tile that holds block row i when the data spans more than 32 partitions: 4
// rows to a quadrant of 32, shifted by offset in {0, 4, 8, 12}. Source: MX deep dive, Packing Scale
// Values.
[[nodiscard]] constexpr std::size_t mx_scale_partition(std::size_t block_row,
                                                       std::size_t offset = 0) {
  return 32 * (block_row / 4) + block_row % 4 + offset;
}

// Largest exponent of an element format (float8_e4m3fn, float8_e5m2, float4_e2m1fn or its x4 form).
[[nodiscard]] int mx_max_exponent(DType element);

// Quantises source ([P][F], P multiple of 8, F multiple of 4) to data.dtype, one of the x4 formats.
// source: bfloat16 or float16 (what the hardware takes), or float32 (offline on the host; FP4
// exists only offline).
//   scale byte = clamp(floor(log2 a) - Emax (+ 1 if doubled) + 127, 0, 254); an all-zero block has
//   byte 0; element = RNE(v / 2^(byte - 127)), -0 kept, subnormals kept.
// Blocks that hold a NaN or an infinity (assumption 3.5.2): doubled: byte 254; ocp: what the
// formula gives for exponent 255 (255 - Emax). Their finite elements are quantised with that scale.
// NaN elements become NaN. Infinities become NaN under `doubled`; under `ocp` they clip to the
// largest finite value, or without saturation cast (e4m3fn NaN, e5m2 inf). FP4 has no NaN: such a
// block gets the NaN scale and zero elements.
void quantize_mx(ConstRows source, std::size_t P, std::size_t F, Rows data,
                 MxMutableScaleRows scales, MxQuantizeRule rule = {});
// The plain definition, element by element.
void quantize_mx_reference(ConstRows source, std::size_t P, std::size_t F, Rows data,
                           MxMutableScaleRows scales, MxQuantizeRule rule = {});

// out[p][f] (float32) = value * 2^(byte - 127), rounded once to fp32 (overflow to inf, gradual
// underflow); scale 255 gives NaN.
void dequantize_mx(ConstRows data, MxScaleRows scales, std::size_t P, std::size_t F, float* out,
                   std::size_t out_ld);

// One MX operand: K rows (partitions, multiple of 8) of packed x4 elements and K/8 rows of scale
// bytes.
struct MxOperand {
  ConstRows data;
  MxScaleRows scales;
};

// One nc_matmul_mx: out[m][n] = sum or old + sum, out float32 or bfloat16 as in matmul, and
//   sum = +0;  for k: sum = RNE32(sum + RNE32((s[k][m][0] * v[k][n][0] + ... + s[k][m][3] *
//   v[k][n][3]) * 2^(Ss + Sv - 254)))
// with the four products summed and scaled exactly before the inner rounding, which has fp32's
// range (overflow gives infinity, underflow a subnormal or zero). M and N count packed elements;
// e4m3fn, e5m2 and e2m1 operands mix freely (E2M1 values enter exactly: 11.20). A scale of 255 or a
// NaN element gives NaN 0x7FC00000. Default of assumption 11.11.
void matmul_mx(const MxOperand& stationary, const MxOperand& moving, Rows out, std::size_t K,
               std::size_t M, std::size_t N, bool accumulate, MatmulScratch& scratch,
               PsumRounding rounding = {});

// Parameters of assumption 11.11 for studies; the defaults are the definition.
struct MxInternalWidth {
  int accumulator_bits = 24;  // significand bits kept by every sum of the chain, 2 to 24
  int alignment_bits =
      0;  // 0: the four products are added exactly. w: each is first truncated toward zero to a
          // multiple of 2^(e - w + 1), e being the largest exponent among the four products
};
// The plain definition with exact integers. out is float32 [M][N].
void matmul_mx_reference(const MxOperand& stationary, const MxOperand& moving, float* out,
                         std::size_t out_ld, std::size_t K, std::size_t M, std::size_t N,
                         bool accumulate, MxInternalWidth width = {});

}  // namespace trainyard::numerics
