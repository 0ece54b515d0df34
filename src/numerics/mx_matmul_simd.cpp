// The tensor engine's MX product in vector registers, bit-equal to matmul_mx_reference.
//
// Within a block the values of an operand become 16-bit integers ("digits") over a common unit 2^w,
// w chosen by the block's largest value. Four products of such integers add exactly in 32 bits; one
// conversion to fp32 is the one rounding, and because units and scales are powers of two, scaling
// joins the chain's addition in one fused multiply-add without another rounding:
//   sum = fma(float(integer sum), units and scales of both blocks, sum).
// One operand is the left one, whose elements are broadcast; elements of the right one fill
// vectors. Those are the stationary and the moving operand or, where only the stationary one has
// small values throughout, the other way round.
// Small values, about 2^-11 of their block's largest and smaller, have low digits, eighths of the
// unit. They join the integer sum where the other operand's digits are multiples of 8, and
// elsewhere the conversion to fp32. Those of a right e5m2 block have 16 bits and a sum of their
// own, which joins the other in fp32. Where an operand holds what these cannot - values smaller
// again, NaN, infinities, scales near the ends of the range - the step is computed in double from
// the values (mx_values-inl.h).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/mx_matmul_simd.cpp"
#define TRAINYARD_WITH_AVX3_DL  // has integer dot products
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "numerics/mx_detail.h"
#include "numerics/mx_digits-inl.h"
#include "numerics/mx_products-inl.h"
#include "numerics/mx_rows-inl.h"
#include "numerics/mx_values-inl.h"
#include "numerics/tensor_engine_detail.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

#if HWY_NATIVE_FMA

void prepare_operand(const MxColumns& part, bool right, MxDigits& to) {
  right ? prepare<true>(part, to) : prepare<false>(part, to);
  decode_flagged(part, to, right ? tile_columns : tile_rows);
}

// What a tile's code depends on.
enum class Formats : std::uint8_t {
  others,
  wide_low,             // the right operand is e5m2
  wide_low_beside_e2m1  // and the left one e2m1
};

// One row of outputs from their sums, or with them added.
HWY_INLINE void store_row(const float* sums, bool accumulate, float* out, std::size_t n) {
  const D d;
  const V nan = hn::BitCast(d, hn::Set(DU(), tensor_engine_nan));
  for (std::size_t c = 0; c < n; c += lanes) {
    const auto exists = hn::FirstN(d, n - c);
    V sum = hn::Load(d, sums + c);
    if (accumulate) sum = hn::Add(hn::MaskedLoad(exists, d, out + c), sum);
    hn::BlendedStore(hn::IfThenElse(hn::IsNaN(sum), nan, sum), exists, d, out + c);
  }
}

// Stores the sums of a tile or adds them to the old outputs; keeps them, transposed, where its rows
// are columns of the output.
HWY_INLINE void finish(const MxProblem& p, std::size_t m, std::size_t n, const Sums& sum) {
  alignas(64) std::array<float, tile_rows * tile_columns> sums;
  if (p.transposed) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) {
      hn::StoreInterleaved4(sum[0][j], sum[1][j], sum[2][j], sum[3][j], D(),
                            &sums[j * tile_rows * lanes]);
    }
    float* to = p.columns + n * mx_group + m % mx_group;
    for (std::size_t c = 0; c < tile_columns; ++c, to += mx_group)
      std::memcpy(to, &sums[c * tile_rows], tile_rows * sizeof(float));
    return;
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
    if (m + i >= p.left.columns) continue;
    float* row = &sums[i * tile_columns];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) hn::Store(sum[i][j], D(), row + j * lanes);
    store_row(row, p.accumulate, p.out + (m + i) * p.out_ld + n,
              std::min(tile_columns, p.right.columns - n));
  }
}

// The outputs of a group of left columns, from `m`, from the kept sums.
void store_columns(const MxProblem& p, std::size_t m) {
  const std::size_t n = std::min(mx_group, p.left.columns - m);
  for (std::size_t row = 0; row < p.right.columns; ++row)
    store_row(p.columns + row * mx_group, p.accumulate, p.out + row * p.out_ld + m, n);
}

template <Formats formats>
void tile(const MxProblem& p, std::size_t m, std::size_t n) {
  const D d;
  const std::size_t K = p.right.K, s_row = m / tile_rows * K, v_row = n / tile_columns * K;
  const MxDigits &s = p.left_digits, &v = p.right_digits;
  StepDigits at(s, s_row, v, v_row);
  const std::uint8_t *s_flags = &s.flags[s_row], *v_flags = &v.flags[v_row];
  const float* s_scale = &s.scale[s_row / mx_block_partitions * tile_rows];
  const float* v_scale = &v.scale[v_row / mx_block_partitions * tile_columns];
  Sums sum, scale;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) sum[i][j] = hn::Zero(d);
  }
  for (; at.k < K; at.next()) {
    const std::size_t k = at.k;
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
    if (HWY_UNLIKELY(needs_values(s_flags[k], v_flags[k], formats != Formats::others))) {
      alignas(64) std::array<float, tile_rows * tile_columns> gain;
      values_step(p, k, m, n, gain.data());
#pragma GCC unroll 4
      for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < tile_vectors; ++j) {
          sum[i][j] = hn::Add(sum[i][j], hn::Load(d, &gain[i * tile_columns + j * lanes]));
        }
      }
      continue;
    }
    if constexpr (formats == Formats::others) {
      add_digits(s_flags[k], v_flags[k], at, scale, sum);
    } else if constexpr (formats == Formats::wide_low) {
      add_wide_digits(s_flags[k], v_flags[k], at, scale, sum);
    } else {
      add_wide_digits_beside_e2m1(v_flags[k], at, scale, sum);
    }
  }
  finish(p, m, n, sum);
}

// The tile when most of its steps need values.
void values_tile(const MxProblem& p, std::size_t m, std::size_t n) {
  Sums sum, terms;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) sum[i][j] = hn::Zero(D());
  }
  for (std::size_t k = 0; k < p.right.K; ++k) {
    values_terms(p, k, m, n, terms);
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
  if (((p.left_digits.all_flags | p.right_digits.all_flags) & mx_inexact) == 0) return false;
  const std::size_t K = p.right.K, s_row = m / tile_rows * K, v_row = n / tile_columns * K;
  std::size_t steps = 0;
  for (std::size_t k = 0; k < K; k += mx_block_partitions) {
    steps += static_cast<std::size_t>(std::popcount(inexact_rows(p.left_digits, s_row + k) |
                                                    inexact_rows(p.right_digits, v_row + k)));
  }
  return steps * 2 > K;
}

// Panel by panel of the left operand: whether its columns are long, which steps branch on, comes
// again with every panel of the right one.
template <Formats formats>
void all_tiles(const MxProblem& p) {
  for (std::size_t m = 0; m < p.left.columns; m += tile_rows) {
    for (std::size_t n = 0; n < p.right.columns; n += tile_columns)
      mostly_values(p, m, n) ? values_tile(p, m, n) : tile<formats>(p, m, n);
    const bool last = m + tile_rows >= p.left.columns || (m + tile_rows) % mx_group == 0;
    if (p.transposed && last) store_columns(p, m / mx_group * mx_group);
  }
}

void product(const MxProblem& p) {
  if (!p.right.wide_low) return all_tiles<Formats::others>(p);
  p.left.operand.data.dtype == DType::float4_e2m1fn_x4 ? all_tiles<Formats::wide_low_beside_e2m1>(p)
                                                       : all_tiles<Formats::wide_low>(p);
}

#else

void prepare_operand(const MxColumns&, bool, MxDigits&) {}

void product(const MxProblem& p) {
  const MxOperand left{p.left.operand};
  MxOperand right{p.right.operand};
  std::vector<const std::uint8_t*> scales;
  for (std::size_t i = 0; i < p.right.K / mx_block_partitions; ++i)
    scales.push_back(right.scales[i] + p.right.first);
  right.scales = scales;
  right.data.data += p.right.first * static_cast<std::size_t>(size_in_bytes(right.data.dtype));
  matmul_mx_reference(left, right, p.out, p.out_ld, p.right.K, p.left.columns, p.right.columns,
                      p.accumulate);
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

void prepare_digits(const MxColumns& part, bool right, MxDigits& to) {
  // Whole panels of either width; a vector of columns may reach past the last panel of 4.
  const std::size_t elements =
      part.K * ((part.columns + mx_right_panel - 1) / mx_right_panel * mx_right_panel);
  const std::size_t integers = elements * (right ? 2 : mx_left_row / mx_left_panel);
  to.digits.grow(integers);
  to.low_digits.grow(integers);
  to.values.grow(mx_pack * elements);
  to.scale.grow(elements / mx_block_partitions);
  to.flags.assign(elements / mx_left_panel, 0);
  to.all_flags = 0;
  HWY_DYNAMIC_DISPATCH(prepare_operand)(part, right, to);
}

// Moving columns at a time where they are the left ones, whose digits and eighths take 2 KiB each.
constexpr std::size_t transposed_chunk = 128;

// Whether most rows of an operand have low digits, judged by a sample.
bool mostly_low(const MxOperand& operand, std::size_t K, std::size_t columns, MxDigits& scratch) {
  const bool wide_low = operand.data.dtype == DType::float8_e5m2_x4;
  const MxColumns sample{operand, std::min(K, 4 * mx_block_partitions), 0,
                         std::min(columns, mx_right_panel), wide_low};
  prepare_digits(sample, true, scratch);
  const auto end = scratch.flags.begin() + static_cast<std::ptrdiff_t>(sample.K);
  const auto low = std::count_if(scratch.flags.begin(), end,
                                 [](std::uint8_t flags) { return (flags & mx_low) != 0; });
  return 2 * static_cast<std::size_t>(low) > sample.K;
}

}  // namespace

void matmul_mx(const MxOperand& stationary, const MxOperand& moving, Rows out, std::size_t K,
               std::size_t M, std::size_t N, bool accumulate, MatmulScratch& scratch,
               PsumRounding rounding) {
  check_matmul(stationary, moving, K);
  const bool transposed =
      mostly_low(stationary, K, M, scratch.mx_right) && !mostly_low(moving, K, N, scratch.mx_right);
  const MxOperand& right = transposed ? stationary : moving;
  const bool wide_low = right.data.dtype == DType::float8_e5m2_x4;
  const MxColumns whole{stationary, K, 0, M, wide_low};
  MxDigits &of_whole = transposed ? scratch.mx_right : scratch.mx_left,
           &of_part = transposed ? scratch.mx_left : scratch.mx_right;
  prepare_digits(whole, transposed, of_whole);
  const std::size_t panels = (M + mx_right_panel - 1) / mx_right_panel;
  if (transposed) scratch.mx_columns.grow(panels * mx_right_panel * mx_group);
  for_each_chunk(
      out, M, N, accumulate, scratch, rounding,
      [&](std::size_t n, std::size_t columns, float* target, std::size_t target_ld, bool add) {
        const MxColumns part{moving, K, n, columns, wide_low};
        prepare_digits(part, !transposed, of_part);
        HWY_DYNAMIC_DISPATCH(product)
        ({transposed ? part : whole, transposed ? whole : part, scratch.mx_left, scratch.mx_right,
          transposed, target, target_ld, add, scratch.mx_columns.data()});
      },
      transposed ? transposed_chunk : matmul_chunk);
}

}  // namespace trainyard::numerics
#endif
