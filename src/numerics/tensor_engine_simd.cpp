// The tensor engine's chain in vector registers: the same operations in the same order as the plain
// definitions, for many outputs at once. Compiled once per instruction set and chosen at run time
// (Highway); hosts without FMA use the definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/tensor_engine_simd.cpp"
#include "numerics/simd_targets.h"

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/simd_widen-inl.h"
#include "numerics/tensor_engine.h"
#include "numerics/tensor_engine_detail.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA

// Output rows and vectors held in registers by one tile: 16 or 12 independent chains hide the
// latency of a multiply-add.
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t tile_rows = 8, tile_vectors = 2;
#else
constexpr std::size_t tile_rows = 6, tile_vectors = 2;
#endif

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// What one tile computes: `rows` x `vectors` outputs; `pairs` adds two operand rows a step
// (double-row mode); `partial` has one vector of which only the first `columns` lanes exist.
template <std::size_t rows_, std::size_t vectors_, bool pairs_, bool partial_>
struct Shape {
  static constexpr std::size_t rows = rows_, vectors = vectors_;
  static constexpr bool pairs = pairs_, partial = partial_;
};

template <class S>
HWY_INLINE V load(const float* from, std::size_t columns) {
  const D d;
  if constexpr (S::partial) return hn::MaskedLoad(hn::FirstN(d, columns), d, from);
  return hn::LoadU(d, from);
}

template <class S>
HWY_INLINE void store(V value, float* to, std::size_t columns) {
  const D d;
  if constexpr (S::partial) {
    hn::BlendedStore(value, hn::FirstN(d, columns), d, to);
  } else {
    hn::StoreU(value, d, to);
  }
}

// One step of the chains: sum[i][j] += s[i] * v[j], or the pair sum with the rows that follow.
template <class S>
HWY_INLINE void step(const MatmulProblem& p, const float* s, const float* v, std::size_t columns,
                     V (&sum)[S::rows][S::vectors]) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V first[S::vectors], second[S::vectors];
#pragma GCC unroll 16
  for (std::size_t j = 0; j < S::vectors; ++j) {
    first[j] = load<S>(v + j * lanes, columns);
    if constexpr (S::pairs) second[j] = load<S>(v + p.moving_ld + j * lanes, columns);
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < S::rows; ++i) {
    const V stationary = hn::Set(d, s[i]);
#pragma GCC unroll 16
    for (std::size_t j = 0; j < S::vectors; ++j) {
      if constexpr (S::pairs) {
        const V pair = hn::MulAdd(hn::Set(d, s[p.stationary_ld + i]), second[j],
                                  hn::Mul(stationary, first[j]));
        sum[i][j] = hn::Add(sum[i][j], pair);
      } else {
        sum[i][j] = hn::MulAdd(stationary, first[j], sum[i][j]);
      }
    }
  }
}

template <class S>
HWY_INLINE void tile(const MatmulProblem& p, std::size_t m, std::size_t n, std::size_t columns) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V sum[S::rows][S::vectors];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < S::rows; ++i) {
#pragma GCC unroll 16
    for (std::size_t j = 0; j < S::vectors; ++j) sum[i][j] = hn::Zero(d);
  }
  constexpr std::size_t rows_a_step = S::pairs ? 2 : 1;
  const float* s = p.stationary + m;
  const float* v = p.moving + n;
  for (std::size_t k = 0; k < p.K; ++k) {
    step<S>(p, s, v, columns, sum);
    s += rows_a_step * p.stationary_ld;
    v += rows_a_step * p.moving_ld;
  }
  const V nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), tensor_engine_nan));
#pragma GCC unroll 16
  for (std::size_t i = 0; i < S::rows; ++i) {
    float* out = p.out + (m + i) * p.out_ld + n;
#pragma GCC unroll 16
    for (std::size_t j = 0; j < S::vectors; ++j) {
      V result = sum[i][j];
      if (p.accumulate) result = hn::Add(load<S>(out + j * lanes, columns), result);
      store<S>(hn::IfThenElse(hn::IsNaN(result), nan, result), out + j * lanes, columns);
    }
  }
}

// All output rows of one panel of columns.
template <std::size_t vectors, bool pairs, bool partial>
void panel(const MatmulProblem& p, std::size_t n, std::size_t columns) {
  std::size_t m = 0;
  for (; m + tile_rows <= p.M; m += tile_rows)
    tile<Shape<tile_rows, vectors, pairs, partial>>(p, m, n, columns);
  for (; m + 2 <= p.M; m += 2) tile<Shape<2, vectors, pairs, partial>>(p, m, n, columns);
  for (; m < p.M; ++m) tile<Shape<1, vectors, pairs, partial>>(p, m, n, columns);
}

template <bool pairs>
void all_panels(const MatmulProblem& p) {
  const std::size_t lanes = hn::Lanes(D());
  std::size_t n = 0;
  for (; n + tile_vectors * lanes <= p.N; n += tile_vectors * lanes)
    panel<tile_vectors, pairs, false>(p, n, lanes);
  for (; n + lanes <= p.N; n += lanes) panel<1, pairs, false>(p, n, lanes);
  if (n < p.N) panel<1, pairs, true>(p, n, p.N - n);
}

void chain(const MatmulProblem& p) { all_panels<false>(p); }
void pair_chain(const MatmulProblem& p) { all_panels<true>(p); }

// Rows are partitions, each on host pages of its own, which the processor does not foresee: they
// are asked for a few rows ahead.
void widen_all(const WidenRows& w) {
  constexpr std::size_t ahead = 12, line = 64;
  const std::size_t bytes = w.columns * static_cast<std::size_t>(size_in_bytes(w.source.dtype));
  const std::byte* row = w.source.data;
  for (std::size_t r = 0; r < w.rows; ++r, row += w.source.stride) {
    if (r + ahead < w.rows) {
      const std::byte* next = row + static_cast<std::ptrdiff_t>(ahead) * w.source.stride;
      for (std::size_t at = 0; at < bytes; at += line) hwy::Prefetch(next + at);
    }
    widen_row(w.source.dtype, row, w.to + r * w.to_ld, w.columns);
  }
}

// fp32 to bfloat16, to nearest even; the one NaN 0x7FC00000 becomes 0x7FC0 (adding the rounding
// increment keeps it a NaN).
template <class VU>
HWY_INLINE auto round_to_bfloat16(VU bits) {
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<std::uint16_t, D> d16;
  const auto increment =
      hn::Add(hn::Set(du, 0x7FFF), hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1)));
  return hn::TruncateTo(d16, hn::ShiftRight<16>(hn::Add(bits, increment)));
}

std::size_t bfloat16_row(std::byte* stored, const float* sums, std::size_t n, bool accumulate) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<std::uint16_t, D> d16;
  const V nan = hn::BitCast(d, hn::Set(du, tensor_engine_nan));
  auto* words = reinterpret_cast<std::uint16_t*>(stored);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    V value = hn::LoadU(d, sums + i);
    if (accumulate) {
      value = hn::Add(
          hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, hn::LoadU(d16, words + i)))), value);
      value = hn::IfThenElse(hn::IsNaN(value), nan, value);
    }
    hn::StoreU(round_to_bfloat16(hn::BitCast(du, value)), d16, words + i);
  }
  return i;
}

#else

std::size_t bfloat16_row(std::byte*, const float*, std::size_t, bool) { return 0; }
void chain(const MatmulProblem& p) { chain_reference(p); }
void pair_chain(const MatmulProblem& p) { pair_chain_reference(p); }

void widen_all(const WidenRows& w) {
  const std::byte* row = w.source.data;
  for (std::size_t r = 0; r < w.rows; ++r, row += w.source.stride) {
    widen(w.source.dtype, row, w.to + r * w.to_ld, w.columns);
  }
}

#endif

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(chain);
HWY_EXPORT(pair_chain);
HWY_EXPORT(widen_all);
HWY_EXPORT(bfloat16_row);

void matmul_chain(const MatmulProblem& problem) { HWY_DYNAMIC_DISPATCH(chain)(problem); }
void matmul_pair_chain(const MatmulProblem& problem) { HWY_DYNAMIC_DISPATCH(pair_chain)(problem); }
void widen_rows(const WidenRows& rows) { HWY_DYNAMIC_DISPATCH(widen_all)(rows); }
std::size_t store_bfloat16_vectors(std::byte* stored, const float* sums, std::size_t n,
                                   bool accumulate) {
  return HWY_DYNAMIC_DISPATCH(bfloat16_row)(stored, sums, n, accumulate);
}

}  // namespace trainyard::numerics
#endif
