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
// the values (mx_values.inl).
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
#include "numerics/mx_digits.inl"
#include "numerics/mx_values.inl"
#include "numerics/tensor_engine_detail.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

#if HWY_NATIVE_FMA

using VI16 = hn::Vec<DI16>;

// a.low * b.low + a.high * b.high of 16-bit pairs, exact in 32 bits.
HWY_INLINE VI multiply_pairs(VI16 a, const std::int32_t* b) {
  const DI di;
  const auto pairs = hn::BitCast(DI16(), hn::Set(di, *b));
#if HWY_TARGET <= HWY_AVX3
  return VI{_mm512_madd_epi16(a.raw, pairs.raw)};
#else
  VI high = hn::Zero(di);
  const VI low = hn::ReorderWidenMulAccumulate(di, a, pairs, hn::Zero(di), high);
  return hn::RearrangeToOddPlusEven(low, high);
#endif
}

// The same and a sum.
HWY_INLINE VI add_pairs(VI sum, VI16 a, const std::int32_t* b) {
#if HWY_TARGET < HWY_AVX3  // one instruction, which this Highway does not know
  asm("vpdpwssd %2%{1to16%}, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "m"(*b));
  return sum;
#else
  return hn::Add(sum, multiply_pairs(a, b));
#endif
}

// Pairs of digits of one vector of right elements.
struct Pairs {
  VI16 even, odd;
  HWY_INLINE explicit Pairs(const std::int32_t* from)
      : even(hn::BitCast(DI16(), hn::Load(DI(), from))),
        odd(hn::BitCast(DI16(), hn::Load(DI(), from + lanes))) {}
};

// Sums of four products of digits: with those of the left element whose pairs begin at s.
HWY_INLINE VI multiply(const Pairs& v, const std::int32_t* s) {
  return add_pairs(multiply_pairs(v.even, s), v.odd, s + tile_rows);
}
HWY_INLINE VI add_products(VI sum, const Pairs& v, const std::int32_t* s) {
  return add_pairs(add_pairs(sum, v.even, s), v.odd, s + tile_rows);
}

void prepare_operand(const MxColumns& part, bool right, MxDigits& to) {
  right ? prepare(RowOut<true>{part, to}) : prepare(RowOut<false>{part, to});
  decode_flagged(part, to, right ? tile_columns : tile_rows);
}

// What a tile's code depends on.
enum class Formats : std::uint8_t {
  others,
  right_e5m2,
  e5m2,  // of both operands
};

using Sums = V[tile_rows][tile_vectors];

// A tile of outputs and the steps of the chain that are to be added to it.
struct TileAt {
  std::size_t m, n, first, last;
};

HWY_INLINE V canonical(V v) {
  return hn::IfThenElse(hn::IsNaN(v), hn::BitCast(D(), hn::Set(DU(), tensor_engine_nan)), v);
}

// The sums of the steps before.
HWY_INLINE void begin(const MxProblem& p, const TileAt& at, Sums& sum) {
  const float* from = p.sums + at.m * tile_columns;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j, from += lanes)
      sum[i][j] = at.first == 0 ? hn::Zero(D()) : hn::Load(D(), from);
  }
}

// Rows of a tile to columns of the output.
HWY_NOINLINE void store_transposed(const MxProblem& p, const TileAt& at, const float* sums) {
  const hn::CappedTag<float, tile_rows> d;
  const auto nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<decltype(d)>(), tensor_engine_nan));
  const auto exists = hn::FirstN(d, p.left.columns - at.m);
  const std::size_t columns = std::min(p.right.columns - at.n, tile_columns);
  float* out = p.out + at.n * p.out_ld + at.m;
  for (std::size_t c = 0; c < columns; ++c, out += p.out_ld) {
    auto sum = hn::Load(d, sums + c * tile_rows);
    if (p.accumulate) sum = hn::Add(hn::MaskedLoad(exists, d, out), sum);
    hn::BlendedStore(hn::IfThenElse(hn::IsNaN(sum), nan, sum), exists, d, out);
  }
}

// Keeps a tile's sums for the next steps or, after the last, stores them or adds them to the old
// outputs.
HWY_INLINE void end(const MxProblem& p, const TileAt& at, const Sums& sum) {
  const D d;
  if (at.last < p.right.K || p.transposed) {
    float* to = p.sums + at.m * tile_columns;
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) {
      if (at.last == p.right.K) {
        hn::StoreInterleaved4(sum[0][j], sum[1][j], sum[2][j], sum[3][j], d,
                              to + j * tile_rows * lanes);
        continue;
      }
#pragma GCC unroll 4
      for (std::size_t i = 0; i < tile_rows; ++i)
        hn::Store(sum[i][j], d, to + i * tile_columns + j * lanes);
    }
    if (at.last == p.right.K) store_transposed(p, at, to);
    return;
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
    if (at.m + i >= p.left.columns) continue;
    float* out = p.out + (at.m + i) * p.out_ld + at.n;
#pragma GCC unroll 4
    for (std::size_t j = 0; j < tile_vectors; ++j) {
      if (at.n + j * lanes >= p.right.columns) continue;
      const auto exists = hn::FirstN(d, p.right.columns - at.n - j * lanes);
      V result = sum[i][j];
      if (p.accumulate) result = hn::Add(hn::MaskedLoad(exists, d, out + j * lanes), result);
      hn::BlendedStore(canonical(result), exists, d, out + j * lanes);
    }
  }
}

// Where a tile's operands are in one step.
struct StepDigits {
  const std::int32_t *s, *v, *v_low;
  const std::int32_t* s_low_first;  // of the panel
  std::size_t k;

  HWY_INLINE StepDigits(const MxDigits& left, std::size_t s_row, const MxDigits& right,
                        std::size_t v_row, std::size_t step)
      : s(&left.digits[(s_row + step) * mx_left_row]),
        v(&right.digits[(v_row + step) * 2 * tile_columns]),
        v_low(&right.low_digits[(v_row + step) * 2 * tile_columns]),
        s_low_first(&left.low_digits[s_row * mx_left_row]),
        k(step) {}
  HWY_INLINE void next() {
    s += mx_left_row, v += 2 * tile_columns, v_low += 2 * tile_columns;
    ++k;
  }
  HWY_INLINE const std::int32_t* s_eighths() const { return s + 2 * tile_rows; }
  HWY_INLINE const std::int32_t* s_low() const { return s_low_first + k * mx_left_row; }
};

// The sums of products of one left element and a vector of right ones: without low digits,
HWY_INLINE V whole_product(const StepDigits& at, std::size_t i, std::size_t j) {
  return hn::ConvertTo(D(), multiply(Pairs(at.v + j * 2 * lanes), at.s + i));
}

// with low digits of the right ones where the left one's eighths are exact: an integer, too,
HWY_INLINE V product_with_eighths(const StepDigits& at, std::size_t i, std::size_t j) {
  const VI whole = multiply(Pairs(at.v + j * 2 * lanes), at.s + i);
  const Pairs low(at.v_low + j * 2 * lanes);
  return hn::ConvertTo(D(), add_products(whole, low, at.s_eighths() + i));
}

// and with low digits of either or both. The upper 24 bits of the sum of whole digits are a float32
// as they are; its others and the eighths, or 64ths, together are one, too.
template <bool s_low, bool v_low>
HWY_INLINE V product_with_low(const StepDigits& at, std::size_t i, std::size_t j) {
  constexpr int places = mx_low_bits * (s_low && v_low ? 2 : 1);
  const Pairs v(at.v + j * 2 * lanes);
  const VI whole = multiply(v, at.s + i), most = hn::And(whole, hn::Set(DI(), ~0xFF));
  VI rest = hn::ShiftLeft<mx_low_bits>(hn::Sub(whole, most));
  if constexpr (s_low) rest = add_products(rest, v, at.s_low() + i);
  if constexpr (v_low) {
    const Pairs low(at.v_low + j * 2 * lanes);
    rest = add_products(rest, low, at.s + i);
    if constexpr (s_low) rest = add_products(hn::ShiftLeft<mx_low_bits>(rest), low, at.s_low() + i);
  }
  const V unit = hn::Set(D(), 1.0F / (1 << places));
  return hn::MulAdd(hn::ConvertTo(D(), rest), unit, hn::ConvertTo(D(), most));
}

// The sums of products with a row of wide low digits: two integers of 24 bits,
HWY_INLINE V product_with_wide_low(const StepDigits& at, std::size_t i, std::size_t j) {
  const V whole = hn::ConvertTo(D(), multiply(Pairs(at.v + j * 2 * lanes), at.s + i));
  const V low = hn::ConvertTo(D(), multiply(Pairs(at.v_low + j * 2 * lanes), at.s + i));
  return hn::MulAdd(low, hn::Set(D(), 1.0F / (1 << mx_wide_low_bits)), whole);
}

// or, of long columns, of 32 bits: the upper one takes the upper half of the lower one and leaves
// it its own last 8 bits.
HWY_INLINE V product_with_wide_low_carried(const StepDigits& at, std::size_t i, std::size_t j) {
  static constexpr std::int32_t upper_half = 1 << 16;  // a pair: 0 and 1
  const VI whole = multiply(Pairs(at.v + j * 2 * lanes), at.s + i);
  const VI low = multiply(Pairs(at.v_low + j * 2 * lanes), at.s + i);
  const VI carried = add_pairs(whole, hn::BitCast(DI16(), low), &upper_half);
  const VI most = hn::And(carried, hn::Set(DI(), ~0xFF));
  const VI rest = hn::Add(hn::ShiftLeft<16>(hn::Sub(whole, most)), low);
  const V unit = hn::Set(D(), 1.0F / (1 << mx_wide_low_bits));
  return hn::MulAdd(hn::ConvertTo(D(), rest), unit, hn::ConvertTo(D(), most));
}

using Product = V (*)(const StepDigits& at, std::size_t i, std::size_t j);

template <Product product>
HWY_INLINE void add_row(const StepDigits& at, std::size_t i, const Sums& scale, Sums& sum) {
#pragma GCC unroll 4
  for (std::size_t j = 0; j < tile_vectors; ++j)
    sum[i][j] = hn::MulAdd(product(at, i, j), scale[i][j], sum[i][j]);
}

template <Product product>
HWY_INLINE void add_rows(const StepDigits& at, const Sums& scale, Sums& sum) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) add_row<product>(at, i, scale, sum);
}

HWY_INLINE void add_digits(std::uint8_t s_flags, std::uint8_t v_flags, const StepDigits& at,
                           const Sums& scale, Sums& sum) {
  if (HWY_LIKELY(((s_flags | v_flags) & mx_low) == 0))
    return add_rows<whole_product>(at, scale, sum);
  if ((s_flags & (mx_low | mx_long)) == 0) return add_rows<product_with_eighths>(at, scale, sum);
  if ((v_flags & mx_low) == 0) return add_rows<product_with_low<true, false>>(at, scale, sum);
  if ((s_flags & mx_low) != 0) return add_rows<product_with_low<true, true>>(at, scale, sum);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
    (s_flags & mx_long_column << i) != 0 ? add_row<product_with_low<false, true>>(at, i, scale, sum)
                                         : add_row<product_with_eighths>(at, i, scale, sum);
  }
}

HWY_INLINE void add_wide_digits(std::uint8_t s_flags, std::uint8_t v_flags, const StepDigits& at,
                                const Sums& scale, Sums& sum) {
  if ((v_flags & mx_low) == 0) {
    return (s_flags & mx_low) == 0 ? add_rows<whole_product>(at, scale, sum)
                                   : add_rows<product_with_low<true, false>>(at, scale, sum);
  }
  if ((s_flags & mx_long) == 0) return add_rows<product_with_wide_low>(at, scale, sum);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
    (s_flags & mx_long_column << i) != 0 ? add_row<product_with_wide_low_carried>(at, i, scale, sum)
                                         : add_row<product_with_wide_low>(at, i, scale, sum);
  }
}

template <Formats formats>
void tile(const MxProblem& p, const TileAt& tile) {
  const D d;
  const std::size_t K = p.right.K, s_row = tile.m / tile_rows * K,
                    v_row = tile.n / tile_columns * K;
  const MxDigits &s = p.left_digits, &v = p.right_digits;
  StepDigits at(s, s_row, v, v_row, tile.first);
  const std::uint8_t *s_flags = &s.flags[s_row], *v_flags = &v.flags[v_row];
  const float* s_scale = &s.scale[(s_row + tile.first) / mx_block_partitions * tile_rows];
  const float* v_scale = &v.scale[(v_row + tile.first) / mx_block_partitions * tile_columns];
  Sums sum, scale;
  begin(p, tile, sum);
  for (; at.k < tile.last; at.next()) {
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
      values_step<formats == Formats::e5m2>(p, k, tile.m, tile.n, gain.data());
#pragma GCC unroll 4
      for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < tile_vectors; ++j) {
          sum[i][j] = hn::Add(sum[i][j], hn::Load(d, &gain[i * tile_columns + j * lanes]));
        }
      }
      continue;
    }
    formats == Formats::others ? add_digits(s_flags[k], v_flags[k], at, scale, sum)
                               : add_wide_digits(s_flags[k], v_flags[k], at, scale, sum);
  }
  end(p, tile, sum);
}

// The tile when most of its steps need values.
template <bool e5m2>
void values_tile(const MxProblem& p, const TileAt& at) {
  Sums sum, terms;
  begin(p, at, sum);
  for (std::size_t k = at.first; k < at.last; ++k) {
    values_terms<e5m2>(p, k, at.m, at.n, terms);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < tile_vectors; ++j) sum[i][j] = hn::Add(sum[i][j], terms[i][j]);
    }
  }
  end(p, at, sum);
}

// Whether the steps that need values are so many that all had better use them: such a step costs
// about seven others.
HWY_INLINE bool mostly_values(const MxProblem& p, const TileAt& at) {
  if (((p.left_digits.all_flags | p.right_digits.all_flags) & mx_inexact) == 0) return false;
  const std::size_t K = p.right.K;
  const std::uint8_t* s = &p.left_digits.flags[at.m / tile_rows * K];
  const std::uint8_t* v = &p.right_digits.flags[at.n / tile_columns * K];
  std::size_t steps = 0;
  for (std::size_t k = at.first; k < at.last; k += mx_block_partitions) {
    std::uint64_t s_flags, v_flags;
    std::memcpy(&s_flags, s + k, sizeof s_flags);
    std::memcpy(&v_flags, v + k, sizeof v_flags);
    steps += static_cast<std::size_t>(
        std::popcount((s_flags | v_flags) & mx_inexact * 0x0101010101010101U));
  }
  return steps * 2 > at.last - at.first;
}

// So many steps at a time that a panel's digits and low digits stay in the level-one cache.
constexpr std::size_t low_steps = 64;

template <Formats formats>
void all_tiles(const MxProblem& p) {
  const std::size_t K = p.right.K;
  const std::size_t steps = (p.right_digits.all_flags & mx_low) == 0 ? K : low_steps;
  for (std::size_t n = 0; n < p.right.columns; n += tile_columns) {
    for (std::size_t k = 0; k < K; k += steps) {
      for (std::size_t m = 0; m < p.left.columns; m += tile_rows) {
        const TileAt at{m, n, k, std::min(K, k + steps)};
        mostly_values(p, at) ? values_tile<formats == Formats::e5m2>(p, at) : tile<formats>(p, at);
      }
    }
  }
}

void product(const MxProblem& p) {
  if (!p.right.wide_low) return all_tiles<Formats::others>(p);
  p.left.operand.data.dtype == DType::float8_e5m2_x4 ? all_tiles<Formats::e5m2>(p)
                                                     : all_tiles<Formats::right_e5m2>(p);
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

// What low digits of an operand cost where it is the left one, judged by a sample.
int cost_of_low_digits(const MxOperand& operand, std::size_t K, std::size_t columns,
                       MxDigits& scratch) {
  const bool wide = operand.data.dtype == DType::float8_e5m2_x4;
  const MxColumns sample{operand, std::min(K, 4 * mx_block_partitions), 0,
                         std::min(columns, mx_right_panel), wide};
  prepare_digits(sample, true, scratch);
  const auto low = std::count_if(scratch.flags.begin(),
                                 scratch.flags.begin() + static_cast<std::ptrdiff_t>(sample.K),
                                 [](std::uint8_t flags) { return (flags & mx_low) != 0; });
  if (2 * static_cast<std::size_t>(low) <= sample.K) return 0;
  return wide ? 2 : 1;
}

}  // namespace

void matmul_mx(const MxOperand& stationary, const MxOperand& moving, Rows out, std::size_t K,
               std::size_t M, std::size_t N, bool accumulate, MatmulScratch& scratch,
               PsumRounding rounding) {
  check_matmul(stationary, moving, K);
  const bool transposed = cost_of_low_digits(stationary, K, M, scratch.mx_right) >
                          cost_of_low_digits(moving, K, N, scratch.mx_right);
  const MxOperand& right = transposed ? stationary : moving;
  const bool wide_low = right.data.dtype == DType::float8_e5m2_x4;
  const MxColumns whole{stationary, K, 0, M, wide_low};
  MxDigits &of_whole = transposed ? scratch.mx_right : scratch.mx_left,
           &of_part = transposed ? scratch.mx_left : scratch.mx_right;
  prepare_digits(whole, transposed, of_whole);
  const std::size_t left_columns = transposed ? std::min(N, matmul_chunk) : M;
  scratch.mx_sums.grow((left_columns + mx_left_panel - 1) / mx_left_panel * mx_left_panel *
                       mx_right_panel);
  for_each_chunk(
      out, M, N, accumulate, scratch, rounding,
      [&](std::size_t n, std::size_t columns, float* target, std::size_t target_ld, bool add) {
        const MxColumns part{moving, K, n, columns, wide_low};
        prepare_digits(part, !transposed, of_part);
        HWY_DYNAMIC_DISPATCH(product)
        ({transposed ? part : whole, transposed ? whole : part, scratch.mx_left, scratch.mx_right,
          transposed, target, target_ld, add, scratch.mx_sums.data()});
      });
}

}  // namespace trainyard::numerics
#endif
