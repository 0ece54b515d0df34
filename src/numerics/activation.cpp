#include "numerics/activation.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/alu.h"

namespace trainyard::numerics {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr double pi = std::numbers::pi;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }
double distribution(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
double times(double x, double factor) {
  return factor == 0 ? 0 * std::copysign(1.0, x) : x * factor;
}

double sine(double x) {
  const double distance = std::abs(x) - pi;
  if (distance <= 0) return std::sin(x);
  return std::copysign(distance * (distance * distance / 6 - 1), x);
}

double derivative_of_sigmoid_gelu(double x, double slope) {
  const double s = sigmoid(slope * x);
  return s + times(slope * x, s * sigmoid(-slope * x));
}

double value_of(ActivationFunction function, double x, double parameter) {
  using enum ActivationFunction;
  switch (function) {
    case copy: return x;
    case square: return x * x;
    case sqrt: return std::sqrt(x);
    case rsqrt: return 1 / std::sqrt(x);
    case reciprocal: return 1 / x;
    case exp: return std::exp(x);
    case log: return std::log(x);
    case sin: return sine(x);
    case arctan: return std::atan(x);
    case tanh: return std::tanh(x);
    case ActivationFunction::sigmoid: return numerics::sigmoid(x);
    case relu: return x > 0 ? x : x * 0 == 0 ? 0.0 : x;
    case prelu: return x > 0 ? x : x * parameter;
    case ActivationFunction::softplus: return numerics::softplus(x);
    case mish: return times(x, std::tanh(numerics::softplus(x)));
    case gelu: return times(x, distribution(x));
    case gelu_dx: return distribution(x) + times(x, density(x));
    case gelu_apprx_tanh:
      return times(x, numerics::sigmoid(2 * std::sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
    case gelu_apprx_sigmoid: return times(x, numerics::sigmoid(1.702 * x));
    case gelu_apprx_sigmoid_dx: return derivative_of_sigmoid_gelu(x, 1.702);
    case silu: return times(x, numerics::sigmoid(x));
    case silu_dx: return derivative_of_sigmoid_gelu(x, 1);
    case erf: return std::erf(x);
    case erf_dx: return 2 / std::sqrt(pi) * std::exp(-x * x);
    case sign: return x > 0 ? 1 : x < 0 ? -1 : x;
    case abs: return std::abs(x);
  }
  return x;
}

}  // namespace

Domain domain(ActivationFunction function) {
  constexpr float float_pi = std::numbers::pi_v<float>;
  switch (function) {
    case ActivationFunction::log: return {0x1p-64f, 0x1p64f};
    case ActivationFunction::sin: return {-float_pi, float_pi};
    case ActivationFunction::arctan: return {-float_pi / 2, float_pi / 2};
    case ActivationFunction::sqrt: return {0x1p-116f, 0x1p118f};
    case ActivationFunction::rsqrt: return {0x1p-87f, 0x1p97f};
    case ActivationFunction::reciprocal: return {0x1p-42f, 0x1p42f, true};
    default: return {-infinity, infinity};
  }
}

bool contains(const Domain& domain, float x) {
  const float y = domain.of_magnitude && x < 0 ? -x : x;
  return !(y < domain.low) && !(y > domain.high);
}

float activate(ActivationFunction function, float x, float parameter) {
  if (x != x) return std::bit_cast<float>(0x7FC00000u);
  const float value = static_cast<float>(value_of(function, x, parameter));
  return value != value ? std::bit_cast<float>(0x7FC00000u) : value;
}

void activate(ActivationFunction function, const float* x, float* out, std::size_t n,
              float parameter) {
  for (std::size_t i = 0; i < n; ++i) out[i] = activate(function, x[i], parameter);
}

void exponential(const float* x, float shift, float* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = activate(ActivationFunction::exp, apply(AluOp::subtract, x[i], shift));
}

}  // namespace trainyard::numerics
