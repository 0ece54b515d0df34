// Plain definitions of MX quantisation and dequantisation. The vectorised quantiser is in
// mx_quantize_simd.cpp.
#include "numerics/mx.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "numerics/convert.h"
#include "numerics/float_format.h"
#include "numerics/mx_detail.h"

namespace trainyard::numerics {

namespace {

using Block = std::array<float, mx_block_partitions * mx_pack>;

Block read_block(ConstRows source, std::size_t block_row, std::size_t column) {
  Block block;
  const auto element = static_cast<std::size_t>(size_in_bytes(source.dtype));
  for (std::size_t r = 0; r < mx_block_partitions; ++r) {
    const auto partition = static_cast<std::ptrdiff_t>(block_row * mx_block_partitions + r);
    widen(source.dtype, source.data + partition * source.stride + column * mx_pack * element,
          &block[r * mx_pack], mx_pack);
  }
  return block;
}

std::uint8_t block_scale(const Block& block, DType element, MxQuantizeRule rule) {
  std::uint32_t largest =
      0;  // of the magnitudes' patterns: NaN and infinity lie above every number
  for (const float v : block)
    largest = std::max(largest, std::bit_cast<std::uint32_t>(v) & ~float32_sign);
  const bool special = largest >= float32_infinity;
  if (special && element == DType::float4_e2m1fn) return mx_scale_nan;
  if (special && rule.scale == MxScale::doubled) return mx_scale_nan - 1;
  const int exponent =
      static_cast<int>(largest >> 23);  // floor(log2 a) + 127, or 0 for subnormal a: clamped below
  const int offset = mx_max_exponent(element) - (rule.scale == MxScale::doubled ? 1 : 0);
  return static_cast<std::uint8_t>(std::max(exponent - offset, 0));
}

std::uint32_t quantize(float value, std::uint8_t scale, DType element, MxQuantizeRule rule) {
  if (scale == mx_scale_nan) return 0;
  const bool to_nan = std::isinf(value) && rule.scale == MxScale::doubled;
  const float number =
      to_nan ? std::copysign(std::bit_cast<float>(float32_quiet_nan), value) : value;
  Narrowing narrowing;
  if (rule.saturate) narrowing.overflow = Overflow::saturate;
  return from_float(element, number * power_of_two(127 - scale), narrowing);
}

void write_block(const Block& block, std::uint8_t scale, Rows data, std::size_t block_row,
                 std::size_t column, MxQuantizeRule rule) {
  const DType element = element_of(data.dtype);
  for (std::size_t r = 0; r < mx_block_partitions; ++r) {
    std::array<std::byte, mx_pack> codes;
    for (std::size_t q = 0; q < mx_pack; ++q) {
      codes[q] = static_cast<std::byte>(quantize(block[r * mx_pack + q], scale, element, rule));
    }
    const auto partition = static_cast<std::ptrdiff_t>(block_row * mx_block_partitions + r);
    std::byte* row = data.data + partition * data.stride;
    pack(data.dtype, codes.data(),
         row + column * static_cast<std::size_t>(size_in_bytes(data.dtype)), 1);
  }
}

}  // namespace

int mx_max_exponent(DType element) {
  switch (element_of(element)) {
    case DType::float8_e4m3fn: return 8;
    case DType::float8_e5m2: return 15;
    case DType::float4_e2m1fn: return 2;
    default: base::fail("not an MX element format");
  }
}

void check_quantize(ConstRows source, std::size_t P, std::size_t F, Rows data,
                    MxMutableScaleRows scales) {
  base::check(P % mx_block_partitions == 0 && F % mx_pack == 0,
              "quantize_mx takes whole blocks of 8 x 4");
  base::check(scales.size() >= P / mx_block_partitions,
              "quantize_mx takes one scale row for 8 partitions");
  base::check(source.dtype == DType::bfloat16 || source.dtype == DType::float16 ||
                  source.dtype == DType::float32,
              "quantize_mx reads bfloat16, float16 or float32");
  base::check(is_packed(data.dtype), "quantize_mx writes an x4 format");
}

void quantize_mx_columns(ConstRows source, std::size_t P, std::size_t first, std::size_t F,
                         Rows data, MxMutableScaleRows scales, MxQuantizeRule rule) {
  for (std::size_t i = 0; i < P / mx_block_partitions; ++i) {
    for (std::size_t column = first / mx_pack; column < F / mx_pack; ++column) {
      const Block block = read_block(source, i, column);
      const std::uint8_t scale = block_scale(block, element_of(data.dtype), rule);
      write_block(block, scale, data, i, column, rule);
      scales[i][column] = scale;
    }
  }
}

void quantize_mx_reference(ConstRows source, std::size_t P, std::size_t F, Rows data,
                           MxMutableScaleRows scales, MxQuantizeRule rule) {
  check_quantize(source, P, F, data, scales);
  quantize_mx_columns(source, P, 0, F, data, scales, rule);
}

void dequantize_mx(ConstRows data, MxScaleRows scales, std::size_t P, std::size_t F, float* out,
                   std::size_t out_ld) {
  base::check(P % mx_block_partitions == 0 && F % mx_pack == 0,
              "dequantize_mx takes whole blocks of 8 x 4");
  base::check(scales.size() >= P / mx_block_partitions,
              "dequantize_mx takes one scale row for 8 partitions");
  base::check(is_packed(data.dtype), "dequantize_mx reads an x4 format");
  const float nan = std::bit_cast<float>(float32_quiet_nan);
  std::vector<std::byte> codes(F);
  for (std::size_t p = 0; p < P; ++p) {
    float* row = out + p * out_ld;
    const std::uint8_t* scale = scales[p / mx_block_partitions];
    unpack(data.dtype, data.data + static_cast<std::ptrdiff_t>(p) * data.stride, codes.data(),
           F / mx_pack);
    widen(element_of(data.dtype), codes.data(), row, F);
    for (std::size_t f = 0; f < F; ++f) {
      const std::uint8_t byte = scale[f / mx_pack];
      const float value = byte == mx_scale_nan ? nan : row[f] * power_of_two(byte - 127);
      row[f] = std::isnan(value) ? nan : value;
    }
  }
}

}  // namespace trainyard::numerics
