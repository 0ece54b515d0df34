// Shared inside the tensor engine's arithmetic (tensor_engine*.cpp, mx*.cpp): the fp32 problem its
// kernels solve and the plain definitions of the sums. Not for other folders.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "numerics/tensor_engine.h"

namespace trainyard::numerics {

// out[M][N] (+)= sums over K steps of fp32 operands with leading dimensions in elements. A step of
// the pair chain reads two consecutive rows of each operand, so these have 2 K rows.
struct MatmulProblem {
  const float* stationary;
  std::size_t stationary_ld;
  const float* moving;
  std::size_t moving_ld;
  float* out;
  std::size_t out_ld;
  std::size_t K, M, N;
  bool accumulate;
};

void matmul_chain(const MatmulProblem& problem);
void matmul_pair_chain(const MatmulProblem& problem);
void chain_reference(const MatmulProblem& problem);
void pair_chain_reference(const MatmulProblem& problem);

// Rows of stored floats to widen to fp32, to_ld apart.
struct WidenRows {
  ConstRows source;
  std::size_t rows, columns;
  float* to;
  std::size_t to_ld;
};
void widen_rows(const WidenRows& rows);

[[nodiscard]] inline float canonical_nan(float value) {
  return std::isnan(value) ? std::bit_cast<float>(tensor_engine_nan) : value;
}

// a + b rounded to nearest even at this many significand bits (2 to 24) in the exponent range of
// fp32. a and b may be any doubles.
[[nodiscard]] float round_sum(double a, double b, int significand_bits);

// Columns of one output tile that a matmul works on at a time, so that the widened moving operand
// stays in the host's cache.
inline constexpr std::size_t matmul_chunk = 512;

// Adds M rows of fp32 sums, N apart, to a bfloat16 output (or overwrites it) with PSUM's two
// roundings. Destroys sums.
void store_bfloat16(Rows out, std::size_t M, std::size_t N, bool accumulate, float* sums,
                    PsumRounding rounding, std::size_t random_ld, MatmulScratch& scratch);

// The part of one row of store_bfloat16 (to nearest even) that fills whole vectors; returns how
// many elements it did.
std::size_t store_bfloat16_vectors(std::byte* stored, const float* sums, std::size_t n,
                                   bool accumulate);

// Runs compute(first column, columns, float* target, target_ld, accumulate) for every chunk of
// columns and leaves the results in out as PSUM stores them: float32 directly, bfloat16 through the
// scratch.
template <typename Compute>
void for_each_chunk(Rows out, std::size_t M, std::size_t N, bool accumulate, MatmulScratch& scratch,
                    PsumRounding rounding, const Compute& compute,
                    std::size_t chunk = matmul_chunk) {
  const bool direct = out.dtype == DType::float32;
  base::check(direct || out.dtype == DType::bfloat16, "PSUM results are float32 or bfloat16");
  base::check(!direct || (reinterpret_cast<std::uintptr_t>(out.data) % sizeof(float) == 0 &&
                          out.stride % 4 == 0),
              "float32 PSUM rows are 4-byte aligned");
  for (std::size_t n = 0; n < N; n += chunk) {
    const std::size_t columns = std::min(chunk, N - n);
    if (direct) {
      auto* target = reinterpret_cast<float*>(out.data) + n;
      compute(n, columns, target, static_cast<std::size_t>(out.stride) / sizeof(float), accumulate);
      continue;
    }
    scratch.result.grow(M * columns);
    compute(n, columns, scratch.result.data(), columns, false);
    const Rows part{out.data + n * 2, out.stride, out.dtype};
    const std::uint32_t* random =
        rounding.random_bits == nullptr ? nullptr : rounding.random_bits + n;
    store_bfloat16(part, M, columns, accumulate, scratch.result.data(), {random}, N, scratch);
  }
}

}  // namespace trainyard::numerics
