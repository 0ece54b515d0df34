// The bit layout of a floating-point format up to 32 bits as a value, and the exact encode and
// decode of one number. convert.h chooses the layout by dtype; nothing here knows about rows or
// integers.
#pragma once

#include <bit>
#include <cstdint>

#include "numerics/convert.h"

namespace trainyard::numerics {

enum class Specials : std::uint8_t {
  ieee,      // the top exponent holds infinity and NaN
  nan_only,  // only the pattern of all ones is NaN, no infinity
  none,      // every pattern is a finite number
};

struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;

  [[nodiscard]] constexpr std::uint32_t mantissa_mask() const { return (1u << mantissa_bits) - 1; }
  [[nodiscard]] constexpr std::uint32_t exponent_max() const { return (1u << exponent_bits) - 1; }
  [[nodiscard]] constexpr std::uint32_t sign_bit() const {
    return 1u << (exponent_bits + mantissa_bits);
  }
  [[nodiscard]] constexpr std::uint32_t largest() const {
    if (specials == Specials::ieee) return (exponent_max() << mantissa_bits) - 1;
    return sign_bit() - (specials == Specials::nan_only ? 2 : 1);
  }
  [[nodiscard]] constexpr std::uint32_t quiet_nan() const {
    if (specials == Specials::ieee)
      return (exponent_max() << mantissa_bits) | (1u << (mantissa_bits - 1));
    return specials == Specials::nan_only ? sign_bit() - 1 : 0;
  }
  // What a number beyond the largest becomes.
  [[nodiscard]] constexpr std::uint32_t overflow(Overflow mode) const {
    if (mode == Overflow::saturate || specials == Specials::none) return largest();
    return specials == Specials::ieee ? exponent_max() << mantissa_bits : quiet_nan();
  }
};

inline constexpr FloatFormat bfloat16_format{8, 7, 127, Specials::ieee};
inline constexpr FloatFormat tfloat32_format{8, 10, 127,
                                             Specials::ieee};  // in the top 19 of 32 bits
inline constexpr FloatFormat float16_format{5, 10, 15, Specials::ieee};
inline constexpr FloatFormat float8_e3m4_format{3, 4, 3, Specials::ieee};
inline constexpr FloatFormat float8_e4m3_format{4, 3, 7, Specials::ieee};
inline constexpr FloatFormat float8_e4m3fn_format{4, 3, 7, Specials::nan_only};
inline constexpr FloatFormat float8_e5m2_format{5, 2, 15, Specials::ieee};
inline constexpr FloatFormat float4_e2m1fn_format{2, 1, 1, Specials::none};

inline constexpr std::uint32_t float32_sign = 0x80000000u;
inline constexpr std::uint32_t float32_infinity = 0x7F800000u;
inline constexpr std::uint32_t float32_quiet_nan = 0x7FC00000u;

// 2^exponent for every exponent a float can hold, subnormals included.
[[nodiscard]] constexpr float power_of_two(int exponent) {
  return exponent >= -126 ? std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23)
                          : std::bit_cast<float>(1u << (exponent + 149));
}

// floor(significand / 2^shift) plus the rounding; significand < 2^62, shift >= 0.
[[nodiscard]] constexpr std::uint64_t shift_right_rounded(std::uint64_t significand, int shift,
                                                          RoundingMode rounding,
                                                          std::uint32_t random_bits) {
  if (shift == 0) return significand;
  const std::uint64_t kept = shift < 64 ? significand >> shift : 0;
  if (rounding == RoundingMode::stochastic) {
    if (shift > 63) return kept;
    const std::uint64_t rest = significand - (kept << shift);
    const std::uint64_t fraction = shift <= 32 ? rest << (32 - shift) : rest >> (shift - 32);
    return kept + ((fraction + random_bits) >> 32);
  }
  if (shift > 62) return 0;
  const std::uint64_t rest = significand - (kept << shift), half = 1ull << (shift - 1);
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

[[nodiscard]] constexpr float decode(const FloatFormat& format, std::uint32_t bits) {
  const std::uint32_t sign = (bits & format.sign_bit()) != 0 ? float32_sign : 0;
  const std::uint32_t magnitude = bits & (format.sign_bit() - 1);
  if (magnitude > format.largest()) {
    const bool infinite =
        magnitude == format.overflow(Overflow::format) && format.specials == Specials::ieee;
    return std::bit_cast<float>(sign | (infinite ? float32_infinity : float32_quiet_nan));
  }
  const std::uint32_t exponent = magnitude >> format.mantissa_bits;
  const std::uint32_t mantissa = magnitude & format.mantissa_mask();
  const std::uint32_t significand =
      exponent == 0 ? mantissa : mantissa | (1u << format.mantissa_bits);
  const int scale =
      (exponent == 0 ? 1 : static_cast<int>(exponent)) - format.bias - format.mantissa_bits;
  // Exact: at most 24 significant bits times a power of two within the range of float32.
  const float value = static_cast<float>(significand) * power_of_two(scale);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | sign);
}

[[nodiscard]] constexpr std::uint32_t encode(const FloatFormat& format, float value,
                                             const Narrowing& narrowing) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), magnitude = bits & ~float32_sign;
  const std::uint32_t sign = (bits & float32_sign) != 0 ? format.sign_bit() : 0;
  if (magnitude > float32_infinity)
    return format.specials == Specials::none ? 0 : sign | format.quiet_nan();
  if (magnitude == float32_infinity) return sign | format.overflow(narrowing.overflow);

  // value = significand * 2^(exponent - 23)
  const bool subnormal = magnitude < 0x00800000u;
  const std::uint32_t significand = subnormal ? magnitude : (magnitude & 0x007FFFFFu) | 0x00800000u;
  const int exponent = subnormal ? -126 : static_cast<int>(magnitude >> 23) - 127;
  const int kept_exponent = exponent < 1 - format.bias ? 1 - format.bias : exponent;
  const std::uint64_t kept =
      shift_right_rounded(significand, kept_exponent - format.mantissa_bits - exponent + 23,
                          narrowing.rounding, narrowing.random_bits);
  // The implicit bit of `kept` adds one to the exponent field, and so does a carry out of the
  // mantissa.
  const std::uint64_t field = static_cast<std::uint64_t>(kept_exponent + format.bias - 1)
                              << format.mantissa_bits;
  const std::uint64_t encoded = field + kept;
  return sign | (encoded > format.largest() ? format.overflow(narrowing.overflow)
                                            : static_cast<std::uint32_t>(encoded));
}

}  // namespace trainyard::numerics
