// Every ActivationFunction in float64, for a number or a vector of numbers (lanes-inl.h);
// activation.h says what they mean. NaN arguments may give anything: the caller replaces them.
// Included once per instruction set, hence no pragma once.
#if defined(TRAINYARD_NUMERICS_ACTIVATION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_ACTIVATION_INL_H
#undef TRAINYARD_NUMERICS_ACTIVATION_INL_H
#else
#define TRAINYARD_NUMERICS_ACTIVATION_INL_H
#endif

#include "numerics/elementary-inl.h"
#include "numerics/operators.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

inline constexpr double density_at_zero = 0x1.9884533d43651p-2;  // 1/sqrt(2 pi)

// Stops an argument where the function has long been 0 or 1 in float32, so that products with it
// are not 0 * infinity.
template <class V>
HWY_INLINE V at_least(double low, V x) {
  return larger(x, V(low));
}

template <class V>
HWY_INLINE V mish(V x) {
  // tanh(log(1 + e)) = (e^2 + 2e) / (e^2 + 2e + 2) with e = exp(x); it is 1 long before x = 40.
  const V e = exp(smaller(x, V(40.0))), grown = e * (e + V(2.0));
  return at_least(-708.0, x) * (grown / (grown + V(2.0)));
}

template <class V>
HWY_INLINE V gelu_dx(V x) {
  const V fall = exp(x * x * V(-0.5)), tail = normal_tail(magnitude(x));
  const V slope = at_least(-40.0, smaller(x, V(40.0))) * V(density_at_zero);
  return select(x < V(0.0), fall * (tail + slope), V(1.0) + fall * (slope - tail));
}

// x * sigmoid(slope x)
template <class V>
HWY_INLINE V sigmoid_gated(V x, double slope) {
  const V bounded = at_least(-708.0, x);
  return bounded / (V(1.0) + exp(bounded * V(-slope)));
}

// Its derivative, with e = exp(-t) and t = slope x: (1 + e (1 + t)) / (1 + e)^2.
template <class V>
HWY_INLINE V sigmoid_gated_dx(V x, double slope) {
  const V t = at_least(-300.0, smaller(x * V(slope), V(300.0)));
  const V e = exp(-t), sum = V(1.0) + e;
  return (V(1.0) + e * (V(1.0) + t)) / (sum * sum);
}

template <class V>
HWY_INLINE V gelu_apprx_tanh(V x) {
  // 1/2 (1 + tanh(u)) = sigmoid(2 u)
  const V bounded = at_least(-40.0, x);
  const V inner = bounded + V(0.044715) * bounded * bounded * bounded;
  return bounded / (V(1.0) + exp(inner * V(-0x1.9884533d43651p+0)));  // -2 sqrt(2/pi)
}

template <ActivationFunction function, class V>
HWY_INLINE V activation_value(V x, V parameter) {
  const V zero(0.0), one(1.0);
  if constexpr (function == ActivationFunction::copy) return x;
  if constexpr (function == ActivationFunction::square) return x * x;
  if constexpr (function == ActivationFunction::sqrt) return square_root(x);
  if constexpr (function == ActivationFunction::rsqrt) return one / square_root(x);
  if constexpr (function == ActivationFunction::reciprocal) return one / x;
  if constexpr (function == ActivationFunction::exp) return HWY_NAMESPACE::exp(x);
  if constexpr (function == ActivationFunction::log) return HWY_NAMESPACE::log(x);
  if constexpr (function == ActivationFunction::sin) return HWY_NAMESPACE::sin(x);
  if constexpr (function == ActivationFunction::arctan) return HWY_NAMESPACE::arctan(x);
  if constexpr (function == ActivationFunction::tanh) return HWY_NAMESPACE::tanh(x);
  if constexpr (function == ActivationFunction::sigmoid) return HWY_NAMESPACE::sigmoid(x);
  if constexpr (function == ActivationFunction::relu) return larger(x, zero);
  if constexpr (function == ActivationFunction::prelu) return select(x > zero, x, x * parameter);
  if constexpr (function == ActivationFunction::softplus) return HWY_NAMESPACE::softplus(x);
  if constexpr (function == ActivationFunction::mish) return HWY_NAMESPACE::mish(x);
  if constexpr (function == ActivationFunction::gelu)
    return at_least(-40.0, x) * normal_distribution(x);
  if constexpr (function == ActivationFunction::gelu_dx) return HWY_NAMESPACE::gelu_dx(x);
  if constexpr (function == ActivationFunction::gelu_apprx_tanh)
    return HWY_NAMESPACE::gelu_apprx_tanh(x);
  if constexpr (function == ActivationFunction::gelu_apprx_sigmoid) return sigmoid_gated(x, 1.702);
  if constexpr (function == ActivationFunction::gelu_apprx_sigmoid_dx)
    return sigmoid_gated_dx(x, 1.702);
  if constexpr (function == ActivationFunction::silu) return sigmoid_gated(x, 1.0);
  if constexpr (function == ActivationFunction::silu_dx) return sigmoid_gated_dx(x, 1.0);
  if constexpr (function == ActivationFunction::erf) return HWY_NAMESPACE::erf(x);
  if constexpr (function == ActivationFunction::erf_dx)
    return V(0x1.20dd750429b6dp+0) * HWY_NAMESPACE::exp(-(x * x));
  if constexpr (function == ActivationFunction::sign)
    return select(x > zero, one, select(x < zero, -one, x));
  if constexpr (function == ActivationFunction::abs) return magnitude(x);
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
