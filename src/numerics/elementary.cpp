#include "numerics/elementary.h"

#include <bit>
#include <cstdint>
#include <limits>

#include "numerics/elementary-inl.h"

namespace trainyard::numerics {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t sign_bit = 0x80000000u, infinity_bits = 0x7F800000u;

// A positive finite float as significand * 2^(exponent - 150).
struct Parts {
  std::uint64_t significand;
  int exponent;
};

Parts parts_of(std::uint32_t magnitude) {
  const int field = static_cast<int>(magnitude >> 23);
  if (field == 0) return {magnitude, 1};
  return {(magnitude & 0x007FFFFFu) | 0x00800000u, field};
}

// significand * 2^(exponent - 150) for a significand below 2^24: exact, because it lies on the grid
// of the inputs.
float compose(Parts parts) {
  while (parts.significand < 0x00800000u && parts.exponent > 1 && parts.significand != 0) {
    parts.significand <<= 1;
    --parts.exponent;
  }
  const auto bits = static_cast<std::uint32_t>(parts.significand);
  if (bits < 0x00800000u) return std::bit_cast<float>(bits);
  return std::bit_cast<float>((bits & 0x007FFFFFu) |
                              (static_cast<std::uint32_t>(parts.exponent) << 23));
}

float copy_sign(float magnitude, float sign) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(magnitude) & ~sign_bit) |
                              (std::bit_cast<std::uint32_t>(sign) & sign_bit));
}

}  // namespace

float power(float base, float exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (base != base || exponent != exponent) return nan;
  return static_cast<float>(HWY_NAMESPACE::power<double>(base, exponent));
}

float remainder_of_dividend_sign(float a, float b) {
  const std::uint32_t dividend = std::bit_cast<std::uint32_t>(a) & ~sign_bit;
  const std::uint32_t divisor = std::bit_cast<std::uint32_t>(b) & ~sign_bit;
  if (dividend >= infinity_bits || divisor > infinity_bits || divisor == 0) return nan;
  if (dividend < divisor) return a;
  // Long division, 32 binary places at a time: the rest stays below 2^24.
  const Parts by = parts_of(divisor);
  Parts rest = parts_of(dividend);
  rest.significand %= by.significand;
  while (rest.exponent > by.exponent) {
    const int places = rest.exponent - by.exponent < 32 ? rest.exponent - by.exponent : 32;
    rest.significand = (rest.significand << places) % by.significand;
    rest.exponent -= places;
  }
  return copy_sign(compose(rest), a);
}

float remainder_of_divisor_sign(float a, float b) {
  const float rest = remainder_of_dividend_sign(a, b);
  if (rest == 0) return copy_sign(0.0f, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

}  // namespace trainyard::numerics
