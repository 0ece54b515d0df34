// MX operands of the tests: three formats, and kinds of data that reach every part of the product.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "numerics/convert.h"
#include "numerics/mx.h"

namespace trainyard::numerics {

inline constexpr DType formats[] = {DType::float8_e4m3fn_x4, DType::float8_e5m2_x4,
                                    DType::float4_e2m1fn_x4};

enum class Data {
  normal,    // Gaussian values quantised
  far,       // values of either sign quantised whose exponents are far apart
  far_ocp,   // the same by the OCP rule: one more bit
  any_code,  // every code and every scale is as likely: NaN, infinities, subnormals, overflow
  any_near,  // every finite code, scales around 1: digits lost in most blocks
  extreme,   // scales at the ends of the range
  small,     // finite codes, scales whose products lie around fp32's smallest numbers
  large,     // and around its largest
};
inline constexpr Data all_data[] = {Data::normal,  Data::far,   Data::any_code, Data::any_near,
                                    Data::extreme, Data::small, Data::large};

// An MX operand in memory as SBUF holds it: rows far apart at odd places, scale rows scattered.
struct Tile {
  std::size_t K, columns;
  std::ptrdiff_t stride;
  DType dtype;
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> scale_bytes;
  std::vector<std::uint8_t*> rows;
  std::vector<const std::uint8_t*> const_rows;

  Tile(std::size_t partitions, std::size_t width, DType format)
      : K(partitions),
        columns(width),
        stride(static_cast<std::ptrdiff_t>(width * 4 + 13)),
        dtype(format) {
    bytes.resize(K * static_cast<std::size_t>(stride));
    scale_bytes.resize((mx_scale_partition(K / 8) + 1) * width + 1);
    for (std::size_t i = 0; i < K / 8; ++i)
      rows.push_back(&scale_bytes[mx_scale_partition(i) * width]);
    const_rows.assign(rows.begin(), rows.end());
  }
  void fill(Data data, std::mt19937& random) {
    if (data == Data::normal || data == Data::far || data == Data::far_ocp) {
      std::normal_distribution<float> normal;
      std::vector<float> values(K * columns * 4);
      for (float& v : values) {
        v = normal(random);
        if (data != Data::normal) v = std::copysign(std::exp(4 * v), normal(random));
      }
      const ConstRows source{reinterpret_cast<const std::byte*>(values.data()),
                             static_cast<std::ptrdiff_t>(columns * 16), DType::float32};
      MxQuantizeRule rule;
      if (data == Data::far_ocp) rule.scale = MxScale::ocp;
      quantize_mx_reference(source, K, columns * 4, {bytes.data(), stride, dtype}, rows, rule);
      return;
    }
    for (std::byte& b : bytes) {
      b = static_cast<std::byte>(random());
      // Exponents below the top one: finite in every format.
      if (data != Data::any_code && dtype == DType::float8_e5m2_x4) b &= std::byte{0xBF};
      if (data != Data::any_code && dtype == DType::float8_e4m3fn_x4 &&
          (b | std::byte{0x80}) == std::byte{0xFF})
        b = {};
    }
    for (std::uint8_t& s : scale_bytes) {
      const auto word = static_cast<std::uint32_t>(random());
      s = static_cast<std::uint8_t>(data == Data::any_near ? 120 + word % 16 : word);
      if (data == Data::small) s = static_cast<std::uint8_t>(50 + word % 24);
      if (data == Data::large) s = static_cast<std::uint8_t>(165 + word % 24);
      if (data == Data::extreme)
        s = static_cast<std::uint8_t>(word % 2 == 0 ? word / 2 % 70 : 254 - word / 2 % 70);
    }
  }
  MxOperand operand() const { return {{bytes.data(), stride, dtype}, const_rows}; }
  // Value q of packed element c in partition k, without its scale.
  float value(std::size_t k, std::size_t c, std::size_t q) const {
    const auto width = static_cast<std::size_t>(size_in_bytes(dtype));
    std::uint32_t word = 0;
    for (std::size_t b = 0; b < width; ++b) {
      word |= std::to_integer<std::uint32_t>(
                  bytes[k * static_cast<std::size_t>(stride) + c * width + b])
              << (8 * b);
    }
    return unpack(dtype, word)[q];
  }
};

}  // namespace trainyard::numerics
