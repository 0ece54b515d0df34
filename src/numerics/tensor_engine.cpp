// Row-based entry points and plain definitions of the tensor engine's sums. The vectorised chain is
// in tensor_engine_simd.cpp.
#include "numerics/tensor_engine.h"

#include <bit>
#include <cmath>

#include "base/error.h"

namespace trainyard::numerics {

namespace {

float canonical(float value) {
  return std::isnan(value) ? std::bit_cast<float>(tensor_engine_nan) : value;
}

// round(a + b) to this many significand bits (to nearest even) in the exponent range of fp32. a and
// b are doubles whose exact sum may need more than 53 bits: the rounding error is folded into the
// last bit (round to odd), which keeps the second rounding exact because 53 >= 24 + 2.
float round_sum(double a, double b, int significand_bits) {
  double sum = a + b;
  if (!std::isfinite(sum)) return static_cast<float>(sum);
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  if (error != 0 && (std::bit_cast<std::uint64_t>(sum) & 1) == 0) {
    sum = std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
  }
  if (sum == 0) return static_cast<float>(sum);
  const int exponent = std::max(std::ilogb(sum), -126);
  const double quantum = std::ldexp(1.0, exponent - (significand_bits - 1));
  return static_cast<float>(std::nearbyint(sum / quantum) * quantum);
}

}  // namespace

void matmul_reference(const float* stationary, std::size_t stationary_ld, const float* moving,
                      std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K,
                      std::size_t M, std::size_t N, bool accumulate) {
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t n = 0; n < N; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < K; ++k) {
        sum = std::fma(stationary[k * stationary_ld + m], moving[k * moving_ld + n], sum);
      }
      float& result = out[m * out_ld + n];
      result = canonical(accumulate ? result + sum : sum);
    }
  }
}

void matmul_narrow(const float* stationary, std::size_t stationary_ld, const float* moving,
                   std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K,
                   std::size_t M, std::size_t N, bool accumulate, int significand_bits) {
  base::check(significand_bits >= 2 && significand_bits <= 24,
              "matmul_narrow: 2 to 24 significand bits");
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t n = 0; n < N; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < K; ++k) {
        const double product = static_cast<double>(stationary[k * stationary_ld + m]) *
                               static_cast<double>(moving[k * moving_ld + n]);
        sum = static_cast<double>(round_sum(sum, product, significand_bits));
      }
      float& result = out[m * out_ld + n];
      result = canonical(accumulate ? round_sum(static_cast<double>(result), sum, significand_bits)
                                    : static_cast<float>(sum));
    }
  }
}

}  // namespace trainyard::numerics
