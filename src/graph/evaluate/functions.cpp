#include "graph/evaluate/functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "graph/evaluate/tensor.h"

namespace trainyard::graph {

namespace {

double elementary(OpKind kind, double x) {
  switch (kind) {
    case OpKind::cbrt: return std::cbrt(x);
    case OpKind::cosine: return std::cos(x);
    case OpKind::exponential: return std::exp(x);
    case OpKind::exponential_minus_one: return std::expm1(x);
    case OpKind::log: return std::log(x);
    case OpKind::log_plus_one: return std::log1p(x);
    case OpKind::logistic: return 1 / (1 + std::exp(-x));
    case OpKind::rsqrt: return 1 / std::sqrt(x);
    case OpKind::sine: return std::sin(x);
    case OpKind::sqrt: return std::sqrt(x);
    case OpKind::tan: return std::tan(x);
    case OpKind::tanh: return std::tanh(x);
    default: return x;
  }
}

template <typename T>
T real_function(OpKind kind, T x) {
  switch (kind) {
    case OpKind::abs: return std::fabs(x);
    case OpKind::ceil: return std::ceil(x);
    case OpKind::floor: return std::floor(x);
    case OpKind::negate: return -x;
    case OpKind::round_nearest_afz: return std::round(x);
    case OpKind::round_nearest_even: return std::nearbyint(x);
    case OpKind::sign: return std::isnan(x) || x == 0 ? x : std::copysign(T{1}, x);
    default: return static_cast<T>(elementary(kind, static_cast<double>(x)));
  }
}

template <typename C>
C exp_minus_one(C z) {
  using Part = typename C::value_type;
  const Part half = std::sin(z.imag() / 2);
  const Part growth = std::expm1(z.real());
  return {growth * std::cos(z.imag()) - 2 * half * half, (growth + 1) * std::sin(z.imag())};
}

template <typename C>
C log_plus_one(C z) {
  using Part = typename C::value_type;
  const Part x = z.real(), y = z.imag();
  if (!std::isfinite(x) || !std::isfinite(y)) return std::log(C(1) + z);
  const Part squared = x * (2 + x) + y * y;
  const Part size =
      std::fabs(squared) < Part{0.5} ? std::log1p(squared) / 2 : std::log(std::abs(C(1 + x, y)));
  return {size, std::atan2(y, 1 + x)};
}

std::complex<double> complex_elementary(OpKind kind, std::complex<double> z) {
  using C = std::complex<double>;
  switch (kind) {
    case OpKind::cbrt: return std::pow(z, 1.0 / 3);
    case OpKind::cosine: return std::cos(z);
    case OpKind::exponential: {
      if (z.imag() == 0) return {std::exp(z.real()), z.imag()};
      return std::exp(z);
    }
    case OpKind::exponential_minus_one: return exp_minus_one(z);
    case OpKind::log: return std::log(z);
    case OpKind::log_plus_one: return log_plus_one(z);
    case OpKind::logistic: return C(1) / (C(1) + std::exp(-z));
    case OpKind::rsqrt: return C(1) / std::sqrt(z);
    case OpKind::sine: return std::sin(z);
    case OpKind::sqrt: return std::sqrt(z);
    case OpKind::tan: return std::tan(z);
    case OpKind::tanh: return std::tanh(z);
    default: return z;
  }
}

template <typename C>
C complex_function(OpKind kind, C z) {
  if (kind == OpKind::negate) return -z;
  if (kind == OpKind::sign) {
    if (std::isnan(z.real()) || std::isnan(z.imag())) {
      const auto nan = std::numeric_limits<typename C::value_type>::quiet_NaN();
      return {nan, nan};
    }
    return z == C{} ? z : z / std::abs(z);
  }
  return static_cast<C>(complex_elementary(kind, static_cast<std::complex<double>>(z)));
}

template <typename T>
T integer_function(OpKind kind, T x, int width, bool boolean) {
  const std::uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
  const std::uint64_t word = static_cast<std::uint64_t>(x) & mask;
  switch (kind) {
    case OpKind::abs:
      if (std::is_signed_v<T> && x < T{0}) return static_cast<T>(0 - static_cast<std::uint64_t>(x));
      return x;
    case OpKind::negate: return static_cast<T>(0 - static_cast<std::uint64_t>(x));
    case OpKind::not_: return boolean ? static_cast<T>(x == T{0}) : static_cast<T>(~x);
    case OpKind::popcnt: return static_cast<T>(std::popcount(word));
    case OpKind::count_leading_zeros: return static_cast<T>(std::countl_zero(word) - (64 - width));
    case OpKind::sign:
      if constexpr (std::is_signed_v<T>) return x < 0 ? -1 : (x > 0 ? 1 : 0);
      return x != T{0} ? T{1} : T{0};
    default: return x;
  }
}

}  // namespace

bool is_unary(OpKind kind) {
  switch (kind) {
    case OpKind::abs:
    case OpKind::cbrt:
    case OpKind::ceil:
    case OpKind::cosine:
    case OpKind::count_leading_zeros:
    case OpKind::exponential:
    case OpKind::exponential_minus_one:
    case OpKind::floor:
    case OpKind::log:
    case OpKind::log_plus_one:
    case OpKind::logistic:
    case OpKind::negate:
    case OpKind::not_:
    case OpKind::popcnt:
    case OpKind::round_nearest_afz:
    case OpKind::round_nearest_even:
    case OpKind::rsqrt:
    case OpKind::sign:
    case OpKind::sine:
    case OpKind::sqrt:
    case OpKind::tan:
    case OpKind::tanh: return true;
    default: return false;
  }
}

template <typename T>
T unary(OpKind kind, T value, int width, bool boolean) {
  if constexpr (is_complex_number<T>) {
    return complex_function(kind, value);
  } else if constexpr (std::is_integral_v<T>) {
    return integer_function(kind, value, width, boolean);
  } else {
    return real_function(kind, value);
  }
}
template float unary(OpKind, float, int, bool);
template double unary(OpKind, double, int, bool);
template std::int64_t unary(OpKind, std::int64_t, int, bool);
template std::uint64_t unary(OpKind, std::uint64_t, int, bool);
template std::complex<float> unary(OpKind, std::complex<float>, int, bool);
template std::complex<double> unary(OpKind, std::complex<double>, int, bool);

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
