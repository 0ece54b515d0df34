#include "graph/evaluate/functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "graph/evaluate/tensor.h"

namespace trainyard::graph {

template <typename T>
T complex_power(T base, T exponent) {
  if (exponent == T{}) return T(1);
  if (base == T{}) return exponent.real() > 0 ? T{} : T(std::pow(T{}, exponent));
  using C = std::complex<double>;
  return static_cast<T>(std::pow(static_cast<C>(base), static_cast<C>(exponent)));
}
template std::complex<float> complex_power(std::complex<float>, std::complex<float>);
template std::complex<double> complex_power(std::complex<double>, std::complex<double>);

std::int64_t total_order(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

double inverse_erf(double value) {
  if (std::isnan(value) || std::fabs(value) > 1) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(value) == 1) return value * std::numeric_limits<double>::infinity();
  if (value == 0) return value;
  // A rough start (Winitzki 2008), then Newton's method on the complement, which stays exact.
  const double size = std::fabs(value);
  const double a = 0.147, logarithm = std::log1p(-size * size);
  const double middle = 2 / (std::acos(-1.0) * a) + logarithm / 2;
  double x = std::sqrt(std::sqrt(middle * middle - logarithm / a) - middle);
  for (int step = 0; step < 4; ++step) {
    const double slope = 2 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x);
    const double error = size < 0.5 ? std::erf(x) - size : (1 - size) - std::erfc(x);
    x -= error / (slope + x * error);
  }
  return std::copysign(x, value);
}

double digamma(double value) {
  if (value <= 0 && value == std::floor(value)) return std::numeric_limits<double>::quiet_NaN();
  double shift = 0;
  const double pi = std::acos(-1.0);
  if (value < 0) return digamma(1 - value) - pi / std::tan(pi * value);
  for (; value < 12; value += 1) shift -= 1 / value;
  const double inverse = 1 / (value * value);
  // The asymptotic series (Abramowitz and Stegun 6.3.18).
  const double series =
      inverse *
      (1.0 / 12 -
       inverse *
           (1.0 / 120 -
            inverse * (1.0 / 252 -
                       inverse * (1.0 / 240 - inverse * (1.0 / 132 - inverse * (691.0 / 32760 -
                                                                                inverse / 12))))));
  return shift + std::log(value) - 1 / (2 * value) - series;
}

double bessel_i1e(double value) {
  const double size = std::abs(value);
  constexpr double large = 40;
  if (!(size >= large)) {
    if (std::isnan(value)) return value;
    return std::copysign(std::cyl_bessel_i(1.0, size) * std::exp(-size), value);
  }
  // The asymptotic series (Abramowitz and Stegun 9.7.1).
  constexpr int terms = 20;
  double sum = 1, term = 1;
  for (int k = 1; k <= terms; ++k) {
    const double odd = 2 * k - 1;
    term *= (odd * odd - 4) / (8 * k * size);
    sum += term;
  }
  return std::copysign(sum / std::sqrt(2 * std::acos(-1.0) * size), value);
}

}  // namespace trainyard::graph
