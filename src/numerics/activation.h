// The functions of the Scalar engine's activation table, one value and rows, and the Vector
// engine's exponential. No reduction, and a scale and a bias only of exp: those belong to the
// instructions.
//
// The device's piecewise polynomials are not public. Here every function is its mathematical
// definition, computed in float64 with our own polynomials and rounded once to float32: at most 1
// ulp off, normal results correctly rounded in more than 99.99 % of all cases (assumed to be what
// the device approximates). Only +, -, *, /, sqrt and bit operations in a fixed order: the same
// bits on every host. Every NaN result is 0x7FC00000. Source of names and valid ranges:
// nki.api.shared "Supported Activation Functions", NKI 0.6.
#pragma once

#include <cstddef>

#include "numerics/dtype.h"
#include "numerics/operators.h"

namespace trainyard::numerics {

// Where the device's result is valid. Outside it is "invalid results": we keep the mathematical
// function (NaN, infinity where it has none), except for sin, which continues with its outermost
// cubic: sin(9) = 27.65 (nki.api.shared).
struct Domain {
  float low;
  float high;
  bool of_magnitude = false;  // the bounds hold for |x|
};
[[nodiscard]] Domain domain(ActivationFunction function);
[[nodiscard]] bool contains(const Domain& domain, float x);  // a NaN is in every domain

// Definitions that the names leave open:
//   gelu                    x * Phi(x), Phi the normal distribution function; gelu_dx its
//   derivative gelu_apprx_tanh         x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))
//   gelu_apprx_sigmoid      x * sigmoid(1.702 x); gelu_apprx_sigmoid_dx its derivative
//   silu                    x * sigmoid(x); silu_dx its derivative
//   mish                    x * tanh(softplus(x)); softplus log(1 + exp(x))
//   erf_dx                  2/sqrt(pi) * exp(-x^2)
//   prelu                   x > 0 ? x : parameter * x; only this one reads the parameter
//   sign                    -1, 0 or 1 (0 keeps its sign)
[[nodiscard]] float activate(ActivationFunction function, float x, float parameter = 0);
// out[i] = activate(function, x[i], parameter); out may be x.
void activate(ActivationFunction function, const float* x, float* out, std::size_t n,
              float parameter = 0);

// out[i] = exp(x[i] - shift), the difference rounded to float32: the Vector engine's exponential.
// out may be x.
void exponential(const float* x, float shift, float* out, std::size_t n);

// out[i] = exp(x[i] * scale + bias), product and sum rounded to float32. out may be x.
void scaled_exp(const float* x, float scale, float bias, float* out, std::size_t n);

// The same from a row of `from`, float32 or bfloat16, narrowed to bfloat16, to nearest even. out
// may be x, where that is bfloat16, and overlaps it in no other way.
void scaled_exp_to_bfloat16(DType from, const std::byte* x, float scale, float bias, std::byte* out,
                            std::size_t n);

}  // namespace trainyard::numerics
