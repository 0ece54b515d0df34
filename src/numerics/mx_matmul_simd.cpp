// The tensor engine's MX product in vector registers, bit-equal to matmul_mx_reference.
//
// Within a block the values of an operand become 16-bit integers ("digits") over a common unit 2^w,
// w chosen by the block's largest value. Four products of such integers add exactly in 32 bits; one
// conversion to fp32 is the one rounding, and because units and scales are powers of two, scaling
// joins the chain's addition in one fused multiply-add without another rounding:
//   sum = fma(float(integer sum), units and scales of both blocks, sum).
// Values about 2^-11 of their block's largest and smaller lose digits over the unit. The next
// twelve digits are kept as a second integer ("rest"); a step where one operand has a rest adds its
// products in double, which holds the exact sum. Steps with NaN, infinities, scales near the ends
// of the range, still smaller values or rests on both sides are computed exactly from the values.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/mx_matmul_simd.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "numerics/mx_detail.h"
#include "numerics/mx_digits.inl"
#include "numerics/mx_exact.inl"
#include "numerics/tensor_engine_detail.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

#if HWY_NATIVE_FMA

// Sums of the four products of 16-bit pairs, exact in 32 bits: even pairs and odd pairs of one
// packed element.
HWY_INLINE VI multiply(hn::Vec<DI16> even, hn::Vec<DI16> odd, std::int32_t s_even,
                       std::int32_t s_odd) {
  const DI di;
  const DI16 di16;
  VI high = hn::Zero(di);
  const VI half = hn::ReorderWidenMulAccumulate(di, even, hn::BitCast(di16, hn::Set(di, s_even)),
                                                hn::Zero(di), high);
  const VI low =
      hn::ReorderWidenMulAccumulate(di, odd, hn::BitCast(di16, hn::Set(di, s_odd)), half, high);
  return hn::RearrangeToOddPlusEven(low, high);
}

HWY_INLINE hn::Vec<DI16> load_pairs(const std::int32_t* from) {
  return hn::BitCast(DI16(), hn::Load(DI(), from));
}

// As the step of tile() where one operand has a rest: s and v point at the digits, s_rest and
// v_rest at the factors of the second product, digits and rest or rest and digits. Writes the sums
// over the units, rounded once.
HWY_NOINLINE void rest_step(const std::int32_t* s, const std::int32_t* v,
                            const std::int32_t* s_rest, const std::int32_t* v_rest, float* to) {
  const DI di;
  const DD dd;
  const hn::Rebind<std::int32_t, DD> half_i;
  const hn::Rebind<float, DD> half;
  const VD unit = hn::Set(dd, 1.0 / (1 << mx_rest_bits));
  alignas(64) std::array<std::int32_t, lanes> whole, rest;
  for (std::size_t j = 0; j < tile_vectors; ++j) {
    const auto even = load_pairs(v + j * 2 * lanes), odd = load_pairs(v + j * 2 * lanes + lanes);
    const auto rest_even = load_pairs(v_rest + j * 2 * lanes),
               rest_odd = load_pairs(v_rest + j * 2 * lanes + lanes);
    for (std::size_t i = 0; i < tile_rows; ++i) {
      hn::Store(multiply(even, odd, s[i], s[tile_rows + i]), di, whole.data());
      hn::Store(multiply(rest_even, rest_odd, s_rest[i], s_rest[tile_rows + i]), di, rest.data());
      for (std::size_t h = 0; h < lanes; h += half_lanes) {
        const VD high = hn::PromoteTo(dd, hn::Load(half_i, &whole[h])),
                 low = hn::PromoteTo(dd, hn::Load(half_i, &rest[h]));
        hn::Store(hn::DemoteTo(half, hn::MulAdd(low, unit, high)), half,
                  to + (i * tile_vectors + j) * lanes + h);
      }
    }
  }
}

using Sums = V[tile_rows][tile_vectors];

// Stores the sums of a tile, or adds them to the old outputs.
HWY_INLINE void finish(const MxProblem& p, std::size_t m, std::size_t n, const Sums& sum) {
  const D d;
  const V nan = hn::BitCast(d, hn::Set(DU(), tensor_engine_nan));
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
    if (m + i >= p.stationary.columns) continue;
    float* out = p.out + (m + i) * p.out_ld + n;
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) {
      if (n + j * lanes >= p.moving.columns) continue;
      const auto exists = hn::FirstN(d, p.moving.columns - n - j * lanes);
      V result = sum[i][j];
      if (p.accumulate) result = hn::Add(hn::MaskedLoad(exists, d, out + j * lanes), result);
      hn::BlendedStore(hn::IfThenElse(hn::IsNaN(result), nan, result), exists, d, out + j * lanes);
    }
  }
}

// A step that meets a flag: what the tile's sums gain. Apart from the loop so that it costs it no
// registers.
template <bool wide>
HWY_NOINLINE bool flagged_step(const MxProblem& p, std::size_t k, std::size_t m, std::size_t n,
                               float* to) {
  const MxDigits &sd = p.stationary_digits, &vd = p.moving_digits;
  const std::size_t s_row = m / tile_rows * p.moving.K + k,
                    v_row = n / tile_columns * p.moving.K + k;
  const std::uint8_t s_flag = sd.flags[s_row], v_flag = vd.flags[v_row];
  if (s_flag + v_flag != mx_has_rest) {
    exact_step<wide>(p, k, m, n, to);
    return false;
  }
  const std::int32_t *s = &sd.digits[s_row * 2 * tile_rows],
                     *v = &vd.digits[v_row * 2 * tile_columns];
  const std::int32_t *s_rest = &sd.rest[s_row * 2 * tile_rows],
                     *v_rest = &vd.rest[v_row * 2 * tile_columns];
  rest_step(s, v, s_flag != 0 ? s_rest : s, s_flag != 0 ? v : v_rest, to);
  return true;
}

template <bool wide>
void tile(const MxProblem& p, std::size_t m, std::size_t n) {
  const D d;
  const std::size_t K = p.moving.K, s_row = m / tile_rows * K, v_row = n / tile_columns * K;
  const std::int32_t* s = &p.stationary_digits.digits[s_row * 2 * tile_rows];
  const std::int32_t* v = &p.moving_digits.digits[v_row * 2 * tile_columns];
  const float* s_scale = &p.stationary_digits.scale[s_row / mx_block_partitions * tile_rows];
  const float* v_scale = &p.moving_digits.scale[v_row / mx_block_partitions * tile_columns];
  const std::uint8_t *s_flags = &p.stationary_digits.flags[s_row],
                     *v_flags = &p.moving_digits.flags[v_row];
  Sums sum, scale;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) sum[i][j] = hn::Zero(d);
  }
  for (std::size_t k = 0; k < K; ++k, s += 2 * tile_rows, v += 2 * tile_columns) {
    if (k % mx_block_partitions == 0) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < tile_vectors; ++j) {
          scale[i][j] = hn::Mul(hn::Set(d, s_scale[i]), hn::Load(d, v_scale + j * lanes));
        }
      }
      s_scale += tile_rows;
      v_scale += tile_columns;
    }
    if (HWY_UNLIKELY((s_flags[k] | v_flags[k]) != 0)) {
      alignas(64) std::array<float, tile_rows * tile_columns> gain;
      const bool over_units = flagged_step<wide>(p, k, m, n, gain.data());
#pragma GCC unroll 4
      for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < tile_vectors; ++j) {
          const V term = hn::Load(d, &gain[(i * tile_vectors + j) * lanes]);
          sum[i][j] =
              over_units ? hn::MulAdd(term, scale[i][j], sum[i][j]) : hn::Add(sum[i][j], term);
        }
      }
      continue;
    }
    hn::Vec<DI16> even[tile_vectors], odd[tile_vectors];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) {
      even[j] = load_pairs(v + j * 2 * lanes);
      odd[j] = load_pairs(v + j * 2 * lanes + lanes);
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < tile_vectors; ++j) {
        const VI products = multiply(even[j], odd[j], s[i], s[tile_rows + i]);
        sum[i][j] = hn::MulAdd(hn::ConvertTo(d, products), scale[i][j], sum[i][j]);
      }
    }
  }
  finish(p, m, n, sum);
}

template <bool wide>
void all_tiles(const MxProblem& p) {
  for (std::size_t n = 0; n < p.moving.columns; n += tile_columns) {
    for (std::size_t m = 0; m < p.stationary.columns; m += tile_rows) tile<wide>(p, m, n);
  }
}

void product(const MxProblem& p) {
  const auto is_wide = [](const MxColumns& part) {
    return part.operand.data.dtype == DType::float8_e5m2_x4;
  };
  if (is_wide(p.stationary) && is_wide(p.moving)) return all_tiles<true>(p);
  all_tiles<false>(p);
}

#else

void prepare(const MxColumns&, bool, MxDigits&) {}

void product(const MxProblem& p) {
  const MxOperand stationary{p.stationary.operand};
  MxOperand moving{p.moving.operand};
  std::vector<const std::uint8_t*> scales;
  for (std::size_t i = 0; i < p.moving.K / mx_block_partitions; ++i)
    scales.push_back(moving.scales[i] + p.moving.first);
  moving.scales = scales;
  moving.data.data += p.moving.first * static_cast<std::size_t>(size_in_bytes(moving.data.dtype));
  matmul_mx_reference(stationary, moving, p.out, p.out_ld, p.moving.K, p.stationary.columns,
                      p.moving.columns, p.accumulate);
}

#endif

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(prepare);
HWY_EXPORT(product);

namespace {

void prepare_digits(const MxColumns& part, bool moving, MxDigits& to) {
  // Whole panels of either width; a vector of columns may reach past the last panel of 4.
  const std::size_t elements =
      part.K * ((part.columns + mx_moving_panel - 1) / mx_moving_panel * mx_moving_panel);
  to.digits.grow(2 * elements);
  to.rest.grow(2 * elements);
  to.scale.grow(elements / mx_block_partitions);
  to.flags.assign(elements / mx_stationary_panel, 0);
  HWY_DYNAMIC_DISPATCH(prepare)(part, moving, to);
}

}  // namespace

void matmul_mx(const MxOperand& stationary, const MxOperand& moving, Rows out, std::size_t K,
               std::size_t M, std::size_t N, bool accumulate, MatmulScratch& scratch,
               PsumRounding rounding) {
  check_matmul(stationary, moving, K);
  const MxColumns rows{stationary, K, 0, M};
  prepare_digits(rows, false, scratch.mx_stationary);
  for_each_chunk(
      out, M, N, accumulate, scratch, rounding,
      [&](std::size_t n, std::size_t columns, float* target, std::size_t target_ld, bool add) {
        const MxColumns part{moving, K, n, columns};
        prepare_digits(part, true, scratch.mx_moving);
        HWY_DYNAMIC_DISPATCH(product)
        ({rows, part, scratch.mx_stationary, scratch.mx_moving, target, target_ld, add});
      });
}

}  // namespace trainyard::numerics
#endif
