// The tensor engine's chain in vector registers: the same fused multiply-adds in the same order as
// matmul_reference, for many outputs at once. Compiled once per instruction set and chosen at run
// time (Highway); hosts without FMA use the definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/tensor_engine_simd.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/tensor_engine.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA

// Output rows and vectors held in registers by one tile: 16 or 12 independent chains hide the
// latency of a multiply-add.
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t tile_rows = 8, tile_vectors = 2;
#else
constexpr std::size_t tile_rows = 6, tile_vectors = 2;
#endif

struct Problem {
  const float* stationary;
  std::size_t stationary_ld;
  const float* moving;
  std::size_t moving_ld;
  float* out;
  std::size_t out_ld;
  std::size_t K;
  bool accumulate;
};

// A block of `rows` x `vectors` outputs whose first is out[m][n].
template <std::size_t rows, std::size_t vectors>
HWY_INLINE void tile(const Problem& p, std::size_t m, std::size_t n) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  V sum[rows][vectors];
  for (auto& row : sum) {
    for (V& v : row) v = hn::Zero(d);
  }
  const float* s = p.stationary + m;
  const float* v = p.moving + n;
  for (std::size_t k = 0; k < p.K; ++k, s += p.stationary_ld, v += p.moving_ld) {
    V moving[vectors];
    for (std::size_t j = 0; j < vectors; ++j) moving[j] = hn::LoadU(d, v + j * lanes);
    for (std::size_t i = 0; i < rows; ++i) {
      const V stationary = hn::Set(d, s[i]);
      for (std::size_t j = 0; j < vectors; ++j)
        sum[i][j] = hn::MulAdd(stationary, moving[j], sum[i][j]);
    }
  }
  const V nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<decltype(d)>(), tensor_engine_nan));
  for (std::size_t i = 0; i < rows; ++i) {
    float* out = p.out + (m + i) * p.out_ld + n;
    for (std::size_t j = 0; j < vectors; ++j) {
      V result = sum[i][j];
      if (p.accumulate) result = hn::Add(hn::LoadU(d, out + j * lanes), result);
      hn::StoreU(hn::IfThenElse(hn::IsNaN(result), nan, result), d, out + j * lanes);
    }
  }
}

template <std::size_t vectors>
void panel(const Problem& p, std::size_t M, std::size_t n) {
  std::size_t m = 0;
  for (; m + tile_rows <= M; m += tile_rows) tile<tile_rows, vectors>(p, m, n);
  for (; m + 2 <= M; m += 2) tile<2, vectors>(p, m, n);
  for (; m < M; ++m) tile<1, vectors>(p, m, n);
}

// The columns left over after whole vectors go through the definition: fma is fma on every host.
void matmul_vectors(const Problem& p, std::size_t M, std::size_t N) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  std::size_t n = 0;
  for (; n + tile_vectors * lanes <= N; n += tile_vectors * lanes) panel<tile_vectors>(p, M, n);
  for (; n + lanes <= N; n += lanes) panel<1>(p, M, n);
  if (n < N) {
    matmul_reference(p.stationary, p.stationary_ld, p.moving + n, p.moving_ld, p.out + n, p.out_ld,
                     p.K, M, N - n, p.accumulate);
  }
}

void matmul_dispatched(const float* stationary, std::size_t stationary_ld, const float* moving,
                       std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K,
                       std::size_t M, std::size_t N, bool accumulate) {
  matmul_vectors({stationary, stationary_ld, moving, moving_ld, out, out_ld, K, accumulate}, M, N);
}

#else

void matmul_dispatched(const float* stationary, std::size_t stationary_ld, const float* moving,
                       std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K,
                       std::size_t M, std::size_t N, bool accumulate) {
  matmul_reference(stationary, stationary_ld, moving, moving_ld, out, out_ld, K, M, N, accumulate);
}

#endif

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(matmul_dispatched);

void matmul(const float* stationary, std::size_t stationary_ld, const float* moving,
            std::size_t moving_ld, float* out, std::size_t out_ld, std::size_t K, std::size_t M,
            std::size_t N, bool accumulate) {
  HWY_DYNAMIC_DISPATCH(matmul_dispatched)
  (stationary, stationary_ld, moving, moving_ld, out, out_ld, K, M, N, accumulate);
}

}  // namespace trainyard::numerics
#endif
