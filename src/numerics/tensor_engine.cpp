// Row-based entry points and plain definitions of the tensor engine's sums. The vectorised chain is
// in tensor_engine_simd.cpp.
#include "numerics/tensor_engine.h"

#include "numerics/convert.h"
#include "numerics/tensor_engine_detail.h"

namespace trainyard::numerics {

namespace {

// Leading dimension of a widened operand: whole cache lines, and an odd number of them, so that the
// rows of a column panel do not fall into the same cache sets.
std::size_t padded(std::size_t elements) {
  constexpr std::size_t line = 64 / sizeof(float);
  return (((elements + line - 1) / line) | 1) * line;
}

// Columns [first, ...) of the same rows.
ConstRows from_column(ConstRows rows, std::size_t first) {
  return {rows.data + first * static_cast<std::size_t>(size_in_bytes(rows.dtype)), rows.stride,
          rows.dtype};
}

}  // namespace

float round_sum(double a, double b, int significand_bits) {
  double sum = a + b;
  if (!std::isfinite(sum) || sum == 0) return static_cast<float>(sum);
  // The rounding error of the sum is folded into its last bit (round to odd). That keeps the second
  // rounding below correct, because 53 >= 24 + 2.
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  if (error != 0 && (std::bit_cast<std::uint64_t>(sum) & 1) == 0) {
    sum = std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
  }
  const double quantum = std::ldexp(1.0, std::max(std::ilogb(sum), -126) - (significand_bits - 1));
  return static_cast<float>(std::nearbyint(sum / quantum) * quantum);
}

void chain_reference(const MatmulProblem& p) {
  for (std::size_t m = 0; m < p.M; ++m) {
    for (std::size_t n = 0; n < p.N; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < p.K; ++k) {
        sum = std::fma(p.stationary[k * p.stationary_ld + m], p.moving[k * p.moving_ld + n], sum);
      }
      float& out = p.out[m * p.out_ld + n];
      out = canonical_nan(p.accumulate ? out + sum : sum);
    }
  }
}

void pair_chain_reference(const MatmulProblem& p) {
  for (std::size_t m = 0; m < p.M; ++m) {
    for (std::size_t n = 0; n < p.N; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < 2 * p.K; k += 2) {
        const float* s = p.stationary + k * p.stationary_ld + m;
        const float* v = p.moving + k * p.moving_ld + n;
        sum += std::fma(s[p.stationary_ld], v[p.moving_ld], s[0] * v[0]);
      }
      float& out = p.out[m * p.out_ld + n];
      out = canonical_nan(p.accumulate ? out + sum : sum);
    }
  }
}

void store_bfloat16(Rows out, std::size_t M, std::size_t N, bool accumulate, float* sums,
                    PsumRounding rounding, std::size_t random_ld, MatmulScratch& scratch) {
  const bool stochastic = rounding.random_bits != nullptr;
  const Narrowing narrowing{stochastic ? RoundingMode::stochastic : RoundingMode::nearest_even};
  scratch.old.grow(N);
  for (std::size_t m = 0; m < M; ++m) {
    float* row = sums + m * N;
    std::byte* stored = out.data + static_cast<std::ptrdiff_t>(m) * out.stride;
    const std::size_t done = stochastic ? 0 : store_bfloat16_vectors(stored, row, N, accumulate);
    if (done == N) continue;
    stored += done * 2;
    if (accumulate) {
      widen(out.dtype, stored, scratch.old.data(), N - done);
      for (std::size_t n = done; n < N; ++n) row[n] = canonical_nan(scratch.old[n - done] + row[n]);
    }
    std::span<const std::uint32_t> random;
    if (stochastic) random = {rounding.random_bits + m * random_ld, N};
    narrow(out.dtype, row + done, stored, N - done, narrowing, random);
  }
}

void matmul(const float* stationary, std::size_t stationary_ld, const float* moving,
            std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K, std::size_t M,
            std::size_t N, bool accumulate) {
  matmul_chain({stationary, stationary_ld, moving, moving_ld, out, out_ld, K, M, N, accumulate});
}

void matmul_reference(const float* stationary, std::size_t stationary_ld, const float* moving,
                      std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K,
                      std::size_t M, std::size_t N, bool accumulate) {
  chain_reference({stationary, stationary_ld, moving, moving_ld, out, out_ld, K, M, N, accumulate});
}

void matmul(ConstRows stationary, ConstRows moving, Rows out, std::size_t K, std::size_t M,
            std::size_t N, bool accumulate, MatmulScratch& scratch, PsumRounding rounding) {
  const std::size_t stationary_ld = padded(M), moving_ld = padded(std::min(N, matmul_chunk));
  scratch.stationary.grow(K * stationary_ld);
  scratch.moving.grow(K * moving_ld);
  widen_rows({stationary, K, M, scratch.stationary.data(), stationary_ld});
  for_each_chunk(
      out, M, N, accumulate, scratch, rounding,
      [&](std::size_t n, std::size_t columns, float* target, std::size_t target_ld, bool add) {
        widen_rows({from_column(moving, n), K, columns, scratch.moving.data(), moving_ld});
        matmul_chain({scratch.stationary.data(), stationary_ld, scratch.moving.data(), moving_ld,
                      target, target_ld, K, M, columns, add});
      });
}

void matmul_double_row(ConstRows stationary, std::ptrdiff_t stationary_second_row, ConstRows moving,
                       std::ptrdiff_t moving_second_row, Rows out, std::size_t K, std::size_t M,
                       std::size_t N, bool accumulate, MatmulScratch& scratch,
                       PsumRounding rounding) {
  const std::size_t stationary_ld = padded(M), moving_ld = padded(std::min(N, matmul_chunk));
  scratch.stationary.grow(2 * K * stationary_ld);
  scratch.moving.grow(2 * K * moving_ld);
  // Partition k's rows become rows 2 k and 2 k + 1.
  const auto widen_pairs = [K](ConstRows source, std::ptrdiff_t second_row, std::size_t first,
                               std::size_t columns, AlignedBuffer<float>& to, std::size_t ld) {
    source = from_column(source, first);
    widen_rows({source, K, columns, to.data(), 2 * ld});
    source.data += second_row;
    widen_rows({source, K, columns, to.data() + ld, 2 * ld});
  };
  widen_pairs(stationary, stationary_second_row, 0, M, scratch.stationary, stationary_ld);
  for_each_chunk(
      out, M, N, accumulate, scratch, rounding,
      [&](std::size_t n, std::size_t columns, float* target, std::size_t target_ld, bool add) {
        widen_pairs(moving, moving_second_row, n, columns, scratch.moving, moving_ld);
        matmul_pair_chain({scratch.stationary.data(), stationary_ld, scratch.moving.data(),
                           moving_ld, target, target_ld, K, M, columns, add});
      });
}

void matmul_narrow(const float* stationary, std::size_t stationary_ld, const float* moving,
                   std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K,
                   std::size_t M, std::size_t N, bool accumulate, int significand_bits) {
  base::check(significand_bits >= 2 && significand_bits <= 24,
              "matmul_narrow takes 2 to 24 significand bits");
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t n = 0; n < N; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < K; ++k) {
        const double product = static_cast<double>(stationary[k * stationary_ld + m]) *
                               static_cast<double>(moving[k * moving_ld + n]);
        sum = static_cast<double>(round_sum(sum, product, significand_bits));
      }
      float& result = out[m * out_ld + n];
      result =
          canonical_nan(accumulate ? round_sum(static_cast<double>(result), sum, significand_bits)
                                   : static_cast<float>(sum));
    }
  }
}

}  // namespace trainyard::numerics
