// Is every activation function what its definition says, to the last bit? MPFR evaluates the
// definition with 240 bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/random.h"
#include "mpfr_real.h"
#include "numerics/activation.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

using Function = ActivationFunction;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float prelu_slope = 0.3f;

Real sigmoid(const Real& x) { return 1.0 / (1.0 + exp(-x)); }
Real softplus(const Real& x) { return 0.0 < x ? x + log1p(exp(-x)) : log1p(exp(x)); }
Real normal_distribution(const Real& x) { return erfc(-x / sqrt(2.0)) / 2.0; }
Real normal_density(const Real& x) { return exp(-x * x / 2.0) / sqrt(2.0 * Real::pi()); }
// x s(kx) differentiated: s + k x s (1 - s)
Real gated_dx(const Real& x, const Real& slope) {
  const Real t = slope * x, e = exp(-t);
  if (t < -1e4) return 0.0;
  return (1.0 + e * (1.0 + t)) / ((1.0 + e) * (1.0 + e));
}
Real extrapolated_sin(const Real& x) {
  const Real beyond = abs(x) - Real::pi();
  if (beyond < 0.0) return sin(x);
  const Real cubic = beyond * beyond * beyond / 6.0 - beyond;
  return x < 0.0 ? -cubic : cubic;
}

Real definition(Function function, double x_value) {
  const Real x(x_value), decimal_slope = Real(1702) / 1000.0;
  switch (function) {
    case Function::copy: return x;
    case Function::square: return x * x;
    case Function::sqrt: return sqrt(x);
    case Function::rsqrt: return 1.0 / sqrt(x);
    case Function::reciprocal: return 1.0 / x;
    case Function::exp: return exp(x);
    case Function::log: return log(x);
    case Function::sin: return extrapolated_sin(x);
    case Function::arctan: return arctan(x);
    case Function::tanh: return tanh(x);
    case Function::sigmoid: return sigmoid(x);
    case Function::relu: return x < 0.0 ? Real(0.0) : x;
    case Function::prelu: return x < 0.0 ? Real(prelu_slope) * x : x;
    case Function::softplus: return softplus(x);
    case Function::mish: return x * tanh(softplus(x));
    case Function::gelu: return x * normal_distribution(x);
    case Function::gelu_dx: return normal_distribution(x) + x * normal_density(x);
    case Function::gelu_apprx_tanh:
      return x * sigmoid(2.0 * sqrt(2.0 / Real::pi()) * (x + Real(44715) / 1e6 * x * x * x));
    case Function::gelu_apprx_sigmoid: return x * sigmoid(decimal_slope * x);
    case Function::gelu_apprx_sigmoid_dx: return gated_dx(x, decimal_slope);
    case Function::silu: return x * sigmoid(x);
    case Function::silu_dx: return gated_dx(x, 1.0);
    case Function::erf: return erf(x);
    case Function::erf_dx: return 2.0 / sqrt(Real::pi()) * exp(-x * x);
    case Function::sign: return x < 0.0 ? -1.0 : Real(0.0) < x ? 1.0 : 0.0;
    case Function::abs: return abs(x);
  }
  return x;
}

// Distance in representable numbers.
std::int64_t ulps(float a, float b) {
  const auto order = [](float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    return bits < 0 ? -std::int64_t{bits & 0x7FFFFFFF} : std::int64_t{bits};
  };
  return std::abs(order(a) - order(b));
}

std::vector<float> random_arguments(std::uint64_t seed, int count) {
  base::Random random(seed);
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(std::bit_cast<float>(random.next32()));
    values.push_back(static_cast<float>(random.uniform() * 40 - 20));
    values.push_back(static_cast<float>(random.uniform() * 8 - 4));
    values.push_back(static_cast<float>(random.uniform() * 210 - 105));
  }
  return values;
}

// The neighbourhoods of zeros, of the zeros of derivatives, of range ends and of the seams between
// polynomials.
std::vector<float> turning_points() {
  std::vector<float> values;
  for (const float center : {0.0f, 1.0f, -1.0f, 0.25f, 1.41421356f, 0.70710678f, 3.14159265f,
                             1.57079633f, -0.7517916f, -1.2784645f, -0.7511530f, -14.0f, 88.72284f,
                             -103.97208f, 0.41421356f, 2.41421356f, -0.3465736f, 15.0f}) {
    float up = center, down = center;
    for (int i = 0; i < 40; ++i) {
      values.push_back(up = std::nextafter(up, infinity));
      values.push_back(down = std::nextafter(down, -infinity));
    }
  }
  return values;
}

int sample_count() {
  const char* wanted = std::getenv("TRAINYARD_ACTIVATION_SAMPLES");
  return wanted != nullptr ? std::atoi(wanted) : 1500;
}

class Activation : public testing::TestWithParam<int> {
 protected:
  static Function function() { return static_cast<Function>(GetParam()); }
};

// How many results differ from the correctly rounded one, not counting subnormal ones, where x/2 is
// often halfway.
std::size_t count_rounded_otherwise(Function function, const std::vector<float>& arguments) {
  std::size_t count = 0;
  for (const float x : arguments) {
    if (!std::isfinite(x)) continue;
    const float found = activate(function, x, prelu_slope),
                expected = definition(function, x).to_float();
    EXPECT_EQ(std::isnan(found), std::isnan(expected)) << x;
    if (found == expected || std::isnan(expected)) continue;
    EXPECT_LE(ulps(found, expected), 1)
        << std::hexfloat << x << " gives " << found << " instead of " << expected;
    if (std::isnormal(expected)) ++count;
  }
  return count;
}

TEST_P(Activation, IsWithinOneUlpAndAlmostAlwaysCorrectlyRounded) {
  const std::vector<float> arguments =
      random_arguments(static_cast<std::uint64_t>(GetParam()), sample_count());
  const std::size_t count = count_rounded_otherwise(function(), arguments);
  EXPECT_LE(static_cast<double>(count), 1e-4 * static_cast<double>(arguments.size()));
  RecordProperty("rounded_otherwise", static_cast<int>(count));
}

TEST_P(Activation, IsWithinOneUlpAtTurningPoints) {
  count_rounded_otherwise(function(), turning_points());
}

TEST_P(Activation, RowsMatchTheDefinitionOnEveryInstructionSet) {
  std::vector<float> x = random_arguments(77, 5000);
  for (const float special : {0.0f, -0.0f, infinity, -infinity, nan, -nan})
    x.insert(x.begin() + 3, special);
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const std::size_t n :
         {x.size(), std::size_t{1}, std::size_t{7}, std::size_t{0}, std::size_t{13}}) {
      std::vector<float> out(n + 1, -7.0f);
      activate(function(), x.data(), out.data(), n, prelu_slope);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]),
                  std::bit_cast<std::uint32_t>(activate(function(), x[i], prelu_slope)))
            << std::hexfloat << x[i];
      }
      EXPECT_EQ(out[n], -7.0f);
    }
  });
}

TEST_P(Activation, EveryNanIsTheOneQuietNan) {
  for (const std::uint32_t bits : {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0xFFFFFFFFu}) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(activate(function(), std::bit_cast<float>(bits), 1.0f)),
              0x7FC00000u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Activation, testing::Range(0, activation_function_count),
                         [](const auto& info) {
                           return std::string(name(static_cast<Function>(info.param)));
                         });

// nki.api.shared: the Scalar engine extrapolates a cubic, so that sin(9.0) is about 27.65 and not
// 0.41.
TEST(ActivationSin, ExtrapolatesItsCubicBeyondPi) {
  EXPECT_NEAR(activate(Function::sin, 9.0f), 27.65, 0.005);
  EXPECT_NEAR(activate(Function::sin, -9.0f), -27.65, 0.005);
  EXPECT_NEAR(activate(Function::sin, 3.0f), std::sin(3.0), 1e-7);
}

TEST(ActivationLimits, AtInfinityAndZero) {
  const auto limits = [](Function f) {
    return std::pair(activate(f, -infinity), activate(f, infinity));
  };
  EXPECT_EQ(limits(Function::exp), std::pair(0.0f, infinity));
  EXPECT_EQ(limits(Function::tanh), std::pair(-1.0f, 1.0f));
  EXPECT_EQ(limits(Function::sigmoid), std::pair(0.0f, 1.0f));
  EXPECT_EQ(limits(Function::silu), std::pair(-0.0f, infinity));
  EXPECT_EQ(limits(Function::gelu), std::pair(-0.0f, infinity));
  EXPECT_EQ(limits(Function::gelu_apprx_tanh), std::pair(-0.0f, infinity));
  EXPECT_EQ(limits(Function::gelu_apprx_sigmoid), std::pair(-0.0f, infinity));
  EXPECT_EQ(limits(Function::mish), std::pair(-0.0f, infinity));
  EXPECT_EQ(limits(Function::softplus), std::pair(0.0f, infinity));
  EXPECT_EQ(limits(Function::relu), std::pair(0.0f, infinity));
  EXPECT_EQ(limits(Function::gelu_dx), std::pair(0.0f, 1.0f));
  EXPECT_EQ(limits(Function::silu_dx), std::pair(0.0f, 1.0f));
  EXPECT_EQ(limits(Function::gelu_apprx_sigmoid_dx), std::pair(0.0f, 1.0f));
  EXPECT_EQ(limits(Function::erf), std::pair(-1.0f, 1.0f));
  EXPECT_EQ(limits(Function::erf_dx), std::pair(0.0f, 0.0f));
  EXPECT_EQ(limits(Function::arctan), std::pair(-1.57079637f, 1.57079637f));
  EXPECT_EQ(limits(Function::sign), std::pair(-1.0f, 1.0f));
  EXPECT_EQ(activate(Function::log, 0.0f), -infinity);
  EXPECT_EQ(activate(Function::log, infinity), infinity);
  EXPECT_TRUE(std::isnan(activate(Function::log, -1.0f)));
  EXPECT_TRUE(std::isnan(activate(Function::sqrt, -1.0f)));
  EXPECT_EQ(activate(Function::reciprocal, -0.0f), -infinity);
}

TEST(ActivationDomain, IsThePublishedTable) {
  EXPECT_FALSE(contains(domain(Function::log), 0x1p-65f));
  EXPECT_TRUE(contains(domain(Function::log), 0x1p64f));
  EXPECT_TRUE(contains(domain(Function::reciprocal), -0x1p-42f));
  EXPECT_FALSE(contains(domain(Function::reciprocal), -0x1p-43f));
  EXPECT_FALSE(contains(domain(Function::sin), 3.2f));
  EXPECT_TRUE(contains(domain(Function::exp), -infinity));
  int bounded = 0;
  for (int i = 0; i < activation_function_count; ++i) {
    if (!contains(domain(static_cast<Function>(i)), infinity)) ++bounded;
  }
  EXPECT_EQ(bounded, 6);  // sin, arctan, log, sqrt, rsqrt, reciprocal
}

TEST(Exponential, IsExpOfTheRoundedDifference) {
  const std::vector<float> x = random_arguments(5, 3000);
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    std::vector<float> out(x.size());
    exponential(x.data(), 0.1f, out.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]),
                std::bit_cast<std::uint32_t>(activate(Function::exp, x[i] - 0.1f)));
    }
  });
}

TEST(ScaledExp, IsExpOfTheRoundedProductAndSum) {
  const std::vector<float> x = random_arguments(6, 3000);
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const auto& [scale, bias] : {std::pair(0.0884F, -3.7F), {1.0F, 0.0F}, {-1e30F, 1e38F}}) {
      std::vector<float> out(x.size());
      scaled_exp(x.data(), scale, bias, out.data(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float product = x[i] * scale;  // two roundings
        ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]),
                  std::bit_cast<std::uint32_t>(activate(Function::exp, product + bias)))
            << x[i];
      }
    }
  });
}

}  // namespace
}  // namespace trainyard::numerics
