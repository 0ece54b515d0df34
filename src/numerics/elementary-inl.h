// Elementary functions in float64 for a number or a vector of numbers (lanes-inl.h), to be rounded
// once to float32. Only
// +, -, *, /, sqrt and bit operations in the order written: the same bits on every host. Relative
// errors are below 2^-45. Arguments are values of float32 or small multiples of them, never
// subnormal in float64. Included once per instruction set, hence no pragma once.
#if defined(TRAINYARD_NUMERICS_ELEMENTARY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_ELEMENTARY_INL_H
#undef TRAINYARD_NUMERICS_ELEMENTARY_INL_H
#else
#define TRAINYARD_NUMERICS_ELEMENTARY_INL_H
#endif

#include <cstddef>
#include <limits>

#include "numerics/elementary_coefficients.h"
#include "numerics/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double endless = std::numeric_limits<double>::infinity();
// Constants in two parts: the high part of log(2) has trailing zeros, so that its small multiples
// are exact.
inline constexpr double log2_high = 0x1.62e42fefa2000p-1, log2_low = 0x1.9ef35793c7673p-41;
inline constexpr double log2_inverse = 0x1.71547652b82fep+0;
inline constexpr double pi_high = 0x1.921fb54442d18p+1, pi_low = 0x1.1a62633145c07p-53;

// c[from] + c[from + 2] y + c[from + 4] y^2 + ... by Horner's rule, written out by the compiler.
template <std::size_t from, class V, std::size_t n>
HWY_INLINE V every_second(V y, const double (&c)[n]) {
  if constexpr (from + 2 >= n) {
    return V(c[from]);
  } else {
    return every_second<from + 2>(y, c) * y + V(c[from]);
  }
}

// c[0] + c[1] x + ...: even and odd terms apart, which halves the chain of dependent operations.
template <class V, std::size_t n>
HWY_INLINE V polynomial(V x, const double (&c)[n]) {
  const V square = x * x;
  return every_second<0>(square, c) + x * every_second<1>(square, c);
}

// x = n log(2) + rest with |rest| <= log(2)/2, and exp(rest) - 1. Beyond +-708 the result is out of
// float32's range anyway, so x is clamped to what float64 holds.
template <class V>
struct ExpParts {
  V shifted;  // n + rounder
  V rest_minus_one;
};
template <class V>
HWY_INLINE ExpParts<V> exp_parts(V x) {
  x = larger(smaller(x, V(708.0)), V(-708.0));
  const V shifted = x * V(log2_inverse) + V(rounder);
  const V n = shifted - V(rounder);
  const V rest = (x - n * V(log2_high)) - n * V(log2_low);
  return {shifted, rest + rest * rest * polynomial(rest, exp_terms)};
}

template <class V>
HWY_INLINE V exp(V x) {
  const ExpParts<V> parts = exp_parts(x);
  return scaled(V(1.0) + parts.rest_minus_one, parts.shifted);
}

// exp(x) - 1 without cancellation near 0.
template <class V>
HWY_INLINE V exp_minus_one(V x) {
  const ExpParts<V> parts = exp_parts(x);
  const V power = scaled(V(1.0), parts.shifted);
  return power * parts.rest_minus_one + (power - V(1.0));
}

// log((1 + s) / (1 - s)) for |s| <= (sqrt(2) - 1) / (sqrt(2) + 1).
template <class V>
HWY_INLINE V log_of_ratio(V s) {
  const V square = s * s;
  return s + (s + s * square * polynomial(square, log_terms));
}

// x positive and finite.
template <class V>
HWY_INLINE V log_of_positive(V x) {
  const auto parts = split(x);
  const V ratio = (parts.significand - V(1.0)) / (parts.significand + V(1.0));
  return parts.exponent * V(log2_high) + (parts.exponent * V(log2_low) + log_of_ratio(ratio));
}

template <class V>
HWY_INLINE V log(V x) {
  const V special = select(same(x, V(0.0)), V(-endless), V(no_number));
  return select(x > V(0.0), select(same(x, V(endless)), x, log_of_positive(x)), special);
}

// log(1 + y) for 0 <= y <= 1.
template <class V>
HWY_INLINE V log_one_plus(V y) {
  const auto large =
      y > V(0x1.a827999fcef32p-2);  // sqrt(2) - 1: from here on log((1 + y) / 2) + log(2)
  const V ratio = select(large, y - V(1.0), y) / select(large, y + V(3.0), y + V(2.0));
  return log_of_ratio(ratio) + select(large, V(log2_high + log2_low), V(0.0));
}

// Beyond +-pi the Scalar engine's last cubic continues (nki.api.shared). It is sin's Taylor
// polynomial at pi: sin(9) = 27.65.
template <class V>
HWY_INLINE V sin(V x) {
  const V size = magnitude(x);
  const V beyond = (size - V(pi_high)) - V(pi_low);
  const V cubic = beyond * (beyond * beyond * V(1.0 / 6) - V(1.0));
  const V folded = select(size > V(pi_high / 2), -beyond, size);
  const V square = folded * folded;
  const V inside = folded + folded * square * polynomial(square, sin_terms);
  const V result = select(beyond > V(0.0), cubic, inside);
  return select(x < V(0.0), -result, with_sign_of(result, x));
}

template <class V>
HWY_INLINE V arctan(V x) {
  const V size = magnitude(x);
  const auto middle = size > V(0x1.a827999fcef32p-2),
             far = size > V(0x1.3504f333f9de6p+1);  // sqrt(2) -+ 1
  const V above = select(far, V(-1.0), select(middle, size - V(1.0), size));
  const V below = select(far, size, select(middle, size + V(1.0), V(1.0)));
  const V start = select(far, V(pi_high / 2), select(middle, V(pi_high / 4), V(0.0)));
  const V reduced = above / below, square = reduced * reduced;
  return with_sign_of(start + (reduced + reduced * square * polynomial(square, arctan_terms)), x);
}

template <class V>
HWY_INLINE V tanh(V x) {
  const V fall = exp_minus_one(magnitude(x) * V(-2.0));
  return with_sign_of(magnitude(fall) / (fall + V(2.0)), x);
}

template <class V>
HWY_INLINE V sigmoid(V x) {
  return V(1.0) / (V(1.0) + exp(-x));
}

template <class V>
HWY_INLINE V softplus(V x) {
  return larger(x, V(0.0)) + log_one_plus(exp(-magnitude(x)));
}

// exp(x^2/2) * Phi(-x) for x >= 0, where Phi is the normal distribution function. Beyond 15 the
// exponential is 0 in float32, so the argument stops there.
template <class V>
HWY_INLINE V normal_tail(V x) {
  x = smaller(x, V(15.0));
  return polynomial(x, tail_numerator) / polynomial(x, tail_denominator);
}

template <class V>
HWY_INLINE V normal_distribution(V x) {
  const V tail = exp(x * x * V(-0.5)) * normal_tail(magnitude(x));
  return select(x < V(0.0), tail, V(1.0) - tail);
}

template <class V>
HWY_INLINE V erf(V x) {
  const V size = magnitude(x), square = x * x;
  const V small =
      size * V(0x1.20dd750429b6dp+0) + size * square * polynomial(square, erf_terms);  // 2/sqrt(pi)
  const V large =
      V(1.0) - V(2.0) * exp(-square) * normal_tail(size * V(0x1.6a09e667f3bcdp+0));  // sqrt(2)
  return with_sign_of(select(size < V(0.25), small, large), x);
}

// base^exponent for 0 < base < infinity and an integer exponent from 0 to 15, by repeated
// multiplication: exact whenever the result has at most 53 bits, so that halfway cases round
// correctly.
template <class V>
HWY_INLINE V small_integer_power(V base, V exponent) {
  const V shifted = exponent + V(rounder), one(1.0);
  const V second = base * base, fourth = second * second, eighth = fourth * fourth;
  return (select(has_bit<0>(shifted), base, one) * select(has_bit<1>(shifted), second, one)) *
         (select(has_bit<2>(shifted), fourth, one) * select(has_bit<3>(shifted), eighth, one));
}

// C's pow for float32 arguments that are not NaN. Every float32 from 2^24 on is an even integer.
template <class V>
HWY_INLINE V power(V base, V exponent) {
  const V size = magnitude(base), reach = magnitude(exponent), zero(0.0), one(1.0);
  const V truncated = smaller(reach, V(0x1p25)), shifted = truncated + V(rounder);
  const auto is_integer = same(shifted - V(rounder), truncated);
  const auto is_odd = both(is_integer, has_bit<0>(shifted));

  const V inner = select(both(size > zero, size < V(endless)), size,
                         one);  // keeps the logarithm's argument legal
  const V logarithm = select(same(size, zero), V(-endless),
                             select(same(size, V(endless)), size, log_of_positive(inner)));
  V result = exp(exponent * logarithm);
  const auto is_small_integer = both(both(is_integer, exponent < V(16.0)), exponent > zero);
  result = select(is_small_integer,
                  small_integer_power(size, select(is_small_integer, exponent, one)), result);
  // 1 to any power, also the infinite one, where the logarithm gives 0 * infinity; anything to the
  // power 0.
  result = select(either(same(size, one), same(exponent, zero)), one, result);

  const auto is_negative = base < zero;
  const auto no_real_value = both(both(is_negative, negate(is_integer)), size < V(endless));
  result = select(no_real_value, V(no_number), result);
  return select(is_odd, with_sign_of(result, base), result);
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
