// The steps of matmul_mx on digits: sums of four products in integers, and what of them joins the
// chain. Part of the per-target code of mx_matmul_simd.cpp, included inside Highway's
// foreach_target.
#if defined(TRAINYARD_NUMERICS_MX_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_MX_PRODUCTS_INL_H
#undef TRAINYARD_NUMERICS_MX_PRODUCTS_INL_H
#else
#define TRAINYARD_NUMERICS_MX_PRODUCTS_INL_H
#endif

#include <hwy/highway.h>

#include <bit>

#include "numerics/mx_detail.h"
#include "numerics/mx_digits-inl.h"

#if HWY_NATIVE_FMA

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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
  Pairs() = default;
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

using Sums = V[tile_rows][tile_vectors];

// Where a tile's operands are in one step.
struct StepDigits {
  const std::int32_t *s, *v, *v_low;
  const std::int32_t* s_low_first;  // of the panel
  std::size_t k = 0;

  HWY_INLINE StepDigits(const MxDigits& left, std::size_t s_row, const MxDigits& right,
                        std::size_t v_row)
      : s(&left.digits[s_row * mx_left_row]),
        v(&right.digits[v_row * 2 * tile_columns]),
        v_low(&right.low_digits[v_row * 2 * tile_columns]),
        s_low_first(&left.low_digits[s_row * mx_left_row]) {}
  HWY_INLINE void next() {
    s += mx_left_row, v += 2 * tile_columns, v_low += 2 * tile_columns;
    ++k;
  }
  HWY_INLINE const std::int32_t* s_eighths() const { return s + 2 * tile_rows; }
  HWY_INLINE const std::int32_t* s_low() const { return s_low_first + k * mx_left_row; }
};

// Right elements of one step: their digits, and their low digits if they have some.
struct RightPairs {
  Pairs whole, low;
};

// The sums of products of one left element and a vector of right ones: without low digits,
HWY_INLINE V whole_product(const StepDigits& at, std::size_t i, const RightPairs& v) {
  return hn::ConvertTo(D(), multiply(v.whole, at.s + i));
}

// with low digits of the right ones where the left one's eighths are exact: an integer, too,
HWY_INLINE V product_with_eighths(const StepDigits& at, std::size_t i, const RightPairs& v) {
  const VI whole = multiply(v.whole, at.s + i);
  return hn::ConvertTo(D(), add_products(whole, v.low, at.s_eighths() + i));
}

// and with low digits of either or both. The upper 24 bits of the sum of whole digits are a float32
// as they are; its others and the eighths, or 64ths, together are one, too.
template <bool s_low, bool v_low>
HWY_INLINE V product_with_low(const StepDigits& at, std::size_t i, const RightPairs& v) {
  constexpr int places = mx_low_bits * (s_low && v_low ? 2 : 1);
  const VI whole = multiply(v.whole, at.s + i), most = hn::And(whole, hn::Set(DI(), ~0xFF));
  VI rest = hn::ShiftLeft<mx_low_bits>(hn::Sub(whole, most));
  if constexpr (s_low) rest = add_products(rest, v.whole, at.s_low() + i);
  if constexpr (v_low) {
    rest = add_products(rest, v.low, at.s + i);
    if constexpr (s_low)
      rest = add_products(hn::ShiftLeft<mx_low_bits>(rest), v.low, at.s_low() + i);
  }
  const V unit = hn::Set(D(), 1.0F / (1 << places));
  return hn::MulAdd(hn::ConvertTo(D(), rest), unit, hn::ConvertTo(D(), most));
}

// The sums of products with a row of wide low digits: two integers of 24 bits,
HWY_INLINE V product_with_wide_low(const StepDigits& at, std::size_t i, const RightPairs& v) {
  const V whole = hn::ConvertTo(D(), multiply(v.whole, at.s + i));
  const V low = hn::ConvertTo(D(), multiply(v.low, at.s + i));
  return hn::MulAdd(low, hn::Set(D(), 1.0F / (1 << mx_wide_low_bits)), whole);
}

// the lower of which is below 2^22 beside e2m1 digits, so that it needs no conversion: added to the
// bits of a float it is one, too large by a part that the upper integer begins without;
HWY_INLINE V product_with_wide_low_beside_e2m1(const StepDigits& at, std::size_t i,
                                               const RightPairs& v) {
  constexpr std::int32_t bits = 0x4B400000, value = 3 << 22;
  static_assert(std::bit_cast<float>(bits) == value);
  constexpr std::int32_t part = value >> mx_wide_low_bits;
  const VI whole = add_products(hn::Set(DI(), -part), v.whole, at.s + i);
  const VI low = add_products(hn::Set(DI(), bits), v.low, at.s + i);
  const V unit = hn::Set(D(), 1.0F / (1 << mx_wide_low_bits));
  return hn::MulAdd(hn::BitCast(D(), low), unit, hn::ConvertTo(D(), whole));
}

// or, of long columns, of 32 bits: the upper one takes the upper half of the lower one and leaves
// it its own last 8 bits.
HWY_INLINE V product_with_wide_low_carried(const StepDigits& at, std::size_t i,
                                           const RightPairs& v) {
  static constexpr std::int32_t upper_half = 1 << 16;  // a pair: 0 and 1
  const VI whole = multiply(v.whole, at.s + i), low = multiply(v.low, at.s + i);
  const VI carried = add_pairs(whole, hn::BitCast(DI16(), low), &upper_half);
  const VI most = hn::And(carried, hn::Set(DI(), ~0xFF));
  const VI rest = hn::Add(hn::ShiftLeft<16>(hn::Sub(whole, most)), low);
  const V unit = hn::Set(D(), 1.0F / (1 << mx_wide_low_bits));
  return hn::MulAdd(hn::ConvertTo(D(), rest), unit, hn::ConvertTo(D(), most));
}

using Product = V (*)(const StepDigits& at, std::size_t i, const RightPairs& v);

template <Product product>
HWY_INLINE void add_row(const StepDigits& at, std::size_t i, const RightPairs (&v)[tile_vectors],
                        const Sums& scale, Sums& sum) {
#pragma GCC unroll 4
  for (std::size_t j = 0; j < tile_vectors; ++j)
    sum[i][j] = hn::MulAdd(product(at, i, v[j]), scale[i][j], sum[i][j]);
}

// The step of all rows, by `product` or, where their columns are long, by `of_long`.
template <bool has_low, Product product, Product of_long = product>
HWY_INLINE void add_rows(const StepDigits& at, unsigned flags, const Sums& scale, Sums& sum) {
  RightPairs v[tile_vectors];
#pragma GCC unroll 4
  for (std::size_t j = 0; j < tile_vectors; ++j) {
    v[j].whole = Pairs(at.v + j * 2 * lanes);
    if constexpr (has_low) v[j].low = Pairs(at.v_low + j * 2 * lanes);
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
    if (product == of_long || HWY_LIKELY((flags & mx_long_column << i) == 0)) {
      add_row<product>(at, i, v, scale, sum);
    } else {
      add_row<of_long>(at, i, v, scale, sum);
    }
  }
}

HWY_INLINE void add_digits(std::uint8_t s_flags, std::uint8_t v_flags, const StepDigits& at,
                           const Sums& scale, Sums& sum) {
  if (HWY_LIKELY(((s_flags | v_flags) & mx_low) == 0))
    return add_rows<false, whole_product>(at, s_flags, scale, sum);
  if ((v_flags & mx_low) == 0)
    return add_rows<false, product_with_low<true, false>>(at, s_flags, scale, sum);
  if (HWY_UNLIKELY((s_flags & mx_low) != 0))
    return add_rows<true, product_with_low<true, true>>(at, s_flags, scale, sum);
  add_rows<true, product_with_eighths, product_with_low<false, true>>(at, s_flags, scale, sum);
}

HWY_INLINE void add_wide_digits(std::uint8_t s_flags, std::uint8_t v_flags, const StepDigits& at,
                                const Sums& scale, Sums& sum) {
  if ((v_flags & mx_low) != 0) {
    return add_rows<true, product_with_wide_low, product_with_wide_low_carried>(at, s_flags, scale,
                                                                                sum);
  }
  (s_flags & mx_low) == 0 ? add_rows<false, whole_product>(at, s_flags, scale, sum)
                          : add_rows<false, product_with_low<true, false>>(at, s_flags, scale, sum);
}

HWY_INLINE void add_wide_digits_beside_e2m1(std::uint8_t v_flags, const StepDigits& at,
                                            const Sums& scale, Sums& sum) {
  (v_flags & mx_low) == 0 ? add_rows<false, whole_product>(at, 0, scale, sum)
                          : add_rows<true, product_with_wide_low_beside_e2m1>(at, 0, scale, sum);
}

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_NATIVE_FMA

#endif
