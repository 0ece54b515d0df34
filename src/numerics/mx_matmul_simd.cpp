// The tensor engine's MX product in vector registers, bit-equal to matmul_mx_reference.
//
// Within a block the values of an operand become 16-bit integers ("digits") over a common unit 2^w,
// w chosen by the block's largest value. Four products of such integers add exactly in 32 bits; one
// conversion to fp32 is the one rounding, and because units and scales are powers of two, scaling
// joins the chain's addition in one fused multiply-add without another rounding:
//   sum = fma(float(integer sum), units and scales of both blocks, sum).
// Where an operand holds what digits cannot - values about 2^-11 of their block's largest and
// smaller, NaN, infinities, scales near the ends of the range - the step is computed in double from
// the values (mx_values.inl). The small values of a moving e4m3fn block have low digits, eighths of
// the unit, which join the integer sum where the other operand's digits are multiples of 8, and
// elsewhere the conversion to fp32.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/mx_matmul_simd.cpp"
#define TRAINYARD_WITH_AVX3_DL  // has integer dot products
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "numerics/mx_detail.h"
#include "numerics/mx_digits.inl"
#include "numerics/mx_values.inl"
#include "numerics/tensor_engine_detail.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

#if HWY_NATIVE_FMA

// sum + a.low * b.low + a.high * b.high of 16-bit pairs, exact in 32 bits.
HWY_INLINE VI add_pairs(VI sum, hn::Vec<DI16> a, std::int32_t b) {
  const DI di;
  const auto pairs = hn::BitCast(DI16(), hn::Set(di, b));
#if HWY_TARGET < HWY_AVX3  // one instruction, which this Highway does not know
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(pairs.raw));
  return sum;
#else
  VI high = hn::Zero(di);
  return hn::RearrangeToOddPlusEven(hn::ReorderWidenMulAccumulate(di, a, pairs, sum, high), high);
#endif
}

// Sums of the four products: even pairs and odd pairs of one packed element.
HWY_INLINE VI multiply(hn::Vec<DI16> even, hn::Vec<DI16> odd, std::int32_t s_even,
                       std::int32_t s_odd) {
  return add_pairs(add_pairs(hn::Zero(DI()), even, s_even), odd, s_odd);
}

// whole + eighths/8, rounded once: the upper 24 bits of the first are a float32 as they are, and
// the others join the second, which still is one.
HWY_INLINE V rounded_sum(VI whole, VI eighths) {
  const D d;
  const VI most = hn::And(whole, hn::Set(DI(), ~0xFF));
  const VI rest = hn::Add(hn::ShiftLeft<mx_low_bits>(hn::Sub(whole, most)), eighths);
  const V eighth = hn::Set(d, 1.0F / (1 << mx_low_bits));
  return hn::MulAdd(hn::ConvertTo(d, rest), eighth, hn::ConvertTo(d, most));
}

HWY_INLINE hn::Vec<DI16> load_pairs(const std::int32_t* from) {
  return hn::BitCast(DI16(), hn::Load(DI(), from));
}

void prepare_operand(const MxColumns& part, bool moving, MxDigits& to) {
  prepare(part, moving, to);
  decode_flagged(part, to, moving ? tile_columns : tile_rows);
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

// A row of a stationary panel divided by 8.
struct Eighths {
  alignas(32) std::array<std::int32_t, 2 * tile_rows> pairs;
  HWY_INLINE explicit Eighths(const std::int32_t* digits) {
    const hn::CappedTag<std::int32_t, 2 * tile_rows> d;
    const hn::Repartition<std::int16_t, decltype(d)> d16;
    const auto whole = hn::BitCast(d16, hn::LoadU(d, digits));
    hn::Store(hn::BitCast(d, hn::ShiftRight<mx_low_bits>(whole)), d, pairs.data());
  }
};

// A step with low digits. Its sums stay integers where eighths of the stationary digits are some.
template <bool has_eighths>
HWY_INLINE void add_with_low(const std::int32_t* s, const hn::Vec<DI16> (&even)[tile_vectors],
                             const hn::Vec<DI16> (&odd)[tile_vectors], const std::int32_t* low,
                             const Sums& scale, Sums& sum) {
  const Eighths eighths(s);
#pragma GCC unroll 4
  for (std::size_t j = 0; j < tile_vectors; ++j) {
    const auto low_even = load_pairs(low + j * 2 * lanes);
    const auto low_odd = load_pairs(low + j * 2 * lanes + lanes);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < tile_rows; ++i) {
      const VI whole = multiply(even[j], odd[j], s[i], s[tile_rows + i]);
      V products;
      if constexpr (has_eighths) {
        const VI all = add_pairs(whole, low_even, eighths.pairs[i]);
        products = hn::ConvertTo(D(), add_pairs(all, low_odd, eighths.pairs[tile_rows + i]));
      } else {
        products = rounded_sum(whole, multiply(low_even, low_odd, s[i], s[tile_rows + i]));
      }
      sum[i][j] = hn::MulAdd(products, scale[i][j], sum[i][j]);
    }
  }
}

template <bool e5m2, bool has_low>
void tile(const MxProblem& p, std::size_t m, std::size_t n) {
  const D d;
  const std::size_t K = p.moving.K, s_row = m / tile_rows * K, v_row = n / tile_columns * K;
  const std::int32_t* s = &p.stationary_digits.digits[s_row * 2 * tile_rows];
  const std::int32_t* v = &p.moving_digits.digits[v_row * 2 * tile_columns];
  const std::int32_t* low = has_low ? &p.moving_digits.low_digits[v_row * 2 * tile_columns] : v;
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
  for (std::size_t k = 0; k < K;
       ++k, s += 2 * tile_rows, v += 2 * tile_columns, low += has_low ? 2 * tile_columns : 0) {
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
    if (HWY_UNLIKELY(needs_values(s_flags[k], v_flags[k]))) {
      alignas(64) std::array<float, tile_rows * tile_columns> gain;
      values_step<e5m2>(p, k, m, n, gain.data());
#pragma GCC unroll 4
      for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < tile_vectors; ++j) {
          sum[i][j] = hn::Add(sum[i][j], hn::Load(d, &gain[i * tile_columns + j * lanes]));
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
    if (has_low && (v_flags[k] & mx_low) != 0) {
      (s_flags[k] & mx_long) == 0 ? add_with_low<true>(s, even, odd, low, scale, sum)
                                  : add_with_low<false>(s, even, odd, low, scale, sum);
      continue;
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

// The tile when most of its steps need values.
template <bool e5m2>
void values_tile(const MxProblem& p, std::size_t m, std::size_t n) {
  const D d;
  Sums sum, terms;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) sum[i][j] = hn::Zero(d);
  }
  for (std::size_t k = 0; k < p.moving.K; ++k) {
    values_terms<e5m2>(p, k, m, n, terms);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < tile_vectors; ++j) sum[i][j] = hn::Add(sum[i][j], terms[i][j]);
    }
  }
  finish(p, m, n, sum);
}

// Whether the steps that need values are so many that all had better use them: such a step costs
// about seven others.
HWY_INLINE bool mostly_values(const MxProblem& p, std::size_t m, std::size_t n) {
  const std::size_t K = p.moving.K;
  const std::uint8_t* s = &p.stationary_digits.flags[m / tile_rows * K];
  const std::uint8_t* v = &p.moving_digits.flags[n / tile_columns * K];
  std::size_t steps = 0;
  for (std::size_t k = 0; k < K; ++k) steps += needs_values(s[k], v[k]) ? 1 : 0;
  return steps * 2 > K;
}

template <bool e5m2, bool has_low>
void all_tiles(const MxProblem& p) {
  for (std::size_t n = 0; n < p.moving.columns; n += tile_columns) {
    for (std::size_t m = 0; m < p.stationary.columns; m += tile_rows) {
      mostly_values(p, m, n) ? values_tile<e5m2>(p, m, n) : tile<e5m2, has_low>(p, m, n);
    }
  }
}

void product(const MxProblem& p) {
  const DType stationary = p.stationary.operand.data.dtype, moving = p.moving.operand.data.dtype;
  if (moving == DType::float8_e4m3fn_x4) return all_tiles<false, true>(p);
  if (moving == DType::float8_e5m2_x4 && stationary == moving) return all_tiles<true, false>(p);
  all_tiles<false, false>(p);
}

#else

void prepare_operand(const MxColumns&, bool, MxDigits&) {}

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

HWY_EXPORT(prepare_operand);
HWY_EXPORT(product);

namespace {

void prepare_digits(const MxColumns& part, bool moving, MxDigits& to) {
  // Whole panels of either width; a vector of columns may reach past the last panel of 4.
  const std::size_t elements =
      part.K * ((part.columns + mx_moving_panel - 1) / mx_moving_panel * mx_moving_panel);
  to.digits.grow(2 * elements);
  if (moving) to.low_digits.grow(2 * elements);
  to.values.grow(mx_pack * elements);
  to.scale.grow(elements / mx_block_partitions);
  to.flags.assign(elements / mx_stationary_panel, 0);
  HWY_DYNAMIC_DISPATCH(prepare_operand)(part, moving, to);
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
