#include "numerics/elementary.h"

#include <cmath>

namespace trainyard::numerics {

float power(float base, float exponent) {
  return static_cast<float>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
}

float remainder_of_dividend_sign(float a, float b) { return std::fmod(a, b); }

float remainder_of_divisor_sign(float a, float b) {
  const float rest = remainder_of_dividend_sign(a, b);
  if (rest == 0) return std::copysign(0.0f, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

}  // namespace trainyard::numerics
