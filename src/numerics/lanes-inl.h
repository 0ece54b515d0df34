// One float64 or a vector of them behind the same operators, so that a function written once is
// both the definition and the fast row form. Included once per instruction set (Highway's
// foreach_target), hence no pragma once.
#if defined(TRAINYARD_NUMERICS_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_LANES_INL_H
#undef TRAINYARD_NUMERICS_LANES_INL_H
#else
#define TRAINYARD_NUMERICS_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Adding it to a number below 2^51 rounds that number to an integer (nearest even) in the low bits
// of the sum.
inline constexpr double rounder = 0x1.8p52;
inline constexpr std::uint64_t float64_sign = 0x8000000000000000u,
                               float64_mantissa = 0x000FFFFFFFFFFFFFu;

// --- one number

HWY_INLINE double select(bool condition, double yes, double no) { return condition ? yes : no; }
HWY_INLINE bool both(bool a, bool b) { return a && b; }
HWY_INLINE bool either(bool a, bool b) { return a || b; }
HWY_INLINE bool negate(bool a) { return !a; }
HWY_INLINE bool same(double a, double b) { return a == b; }
HWY_INLINE double smaller(double a, double b) { return a < b ? a : b; }
HWY_INLINE double larger(double a, double b) { return a > b ? a : b; }
HWY_INLINE double magnitude(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~float64_sign);
}
HWY_INLINE double with_sign_of(double magnitude, double sign) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) |
                               (std::bit_cast<std::uint64_t>(sign) & float64_sign));
}
HWY_INLINE double square_root(double x) { return std::sqrt(x); }  // one rounding, by IEEE 754
// x * 2^n, where shifted = n + rounder and the product is a normal number.
HWY_INLINE double scaled(double x, double shifted) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) +
                               (std::bit_cast<std::uint64_t>(shifted) << 52));
}
// Is bit `bit` of the non-negative integer n set, where shifted = n + rounder?
template <int bit>
HWY_INLINE bool has_bit(double shifted) {
  return (std::bit_cast<std::uint64_t>(shifted) >> bit & 1) != 0;
}
// x = 2^exponent * significand with a significand in [sqrt(1/2), sqrt(2)); x is a positive normal
// number.
struct Split {
  double exponent, significand;
};
inline constexpr std::uint64_t half_root_bits = 0x3FE6A09E667F3BCDu;  // sqrt(1/2)
inline constexpr std::uint64_t split_offset = 0x3FF0000000000000u - half_root_bits,
                               rounder_bits = 0x4330000000000000u;
inline constexpr double exponent_offset = 0x1p52 + 1023;
HWY_INLINE Split split(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + split_offset;
  return {std::bit_cast<double>(bits >> 52 | rounder_bits) - exponent_offset,
          std::bit_cast<double>((bits & float64_mantissa) + half_root_bits)};
}

// --- a vector of numbers

using Doubles = hn::ScalableTag<double>;
using DoubleBits = hn::RebindToUnsigned<Doubles>;

struct Pack {
  hn::Vec<Doubles> v;
  HWY_INLINE Pack(hn::Vec<Doubles> vector) : v(vector) {}
  HWY_INLINE Pack(double value) : v(hn::Set(Doubles(), value)) {}
};
struct Choice {
  hn::Mask<Doubles> m;
};

HWY_INLINE hn::Vec<DoubleBits> bits_of(Pack x) { return hn::BitCast(DoubleBits(), x.v); }
HWY_INLINE Pack number_of(hn::Vec<DoubleBits> bits) { return hn::BitCast(Doubles(), bits); }

HWY_INLINE Pack operator+(Pack a, Pack b) { return hn::Add(a.v, b.v); }
HWY_INLINE Pack operator-(Pack a, Pack b) { return hn::Sub(a.v, b.v); }
HWY_INLINE Pack operator*(Pack a, Pack b) { return hn::Mul(a.v, b.v); }
HWY_INLINE Pack operator/(Pack a, Pack b) { return hn::Div(a.v, b.v); }
HWY_INLINE Pack operator-(Pack a) {
  return number_of(hn::Xor(bits_of(a), hn::Set(DoubleBits(), float64_sign)));
}
HWY_INLINE Choice operator<(Pack a, Pack b) { return {hn::Lt(a.v, b.v)}; }
HWY_INLINE Choice operator>(Pack a, Pack b) { return {hn::Gt(a.v, b.v)}; }

HWY_INLINE Pack select(Choice condition, Pack yes, Pack no) {
  return hn::IfThenElse(condition.m, yes.v, no.v);
}
HWY_INLINE Choice both(Choice a, Choice b) { return {hn::And(a.m, b.m)}; }
HWY_INLINE Choice either(Choice a, Choice b) { return {hn::Or(a.m, b.m)}; }
HWY_INLINE Choice negate(Choice a) { return {hn::Not(a.m)}; }
HWY_INLINE Choice same(Pack a, Pack b) { return {hn::Eq(a.v, b.v)}; }
#if HWY_ARCH_X86  // minpd and maxpd are defined as exactly this selection
HWY_INLINE Pack smaller(Pack a, Pack b) { return hn::Min(a.v, b.v); }
HWY_INLINE Pack larger(Pack a, Pack b) { return hn::Max(a.v, b.v); }
#else
HWY_INLINE Pack smaller(Pack a, Pack b) { return select(a < b, a, b); }
HWY_INLINE Pack larger(Pack a, Pack b) { return select(a > b, a, b); }
#endif
HWY_INLINE Pack magnitude(Pack x) { return hn::Abs(x.v); }
HWY_INLINE Pack with_sign_of(Pack magnitude, Pack sign) {
  return number_of(
      hn::Or(bits_of(magnitude), hn::And(bits_of(sign), hn::Set(DoubleBits(), float64_sign))));
}
HWY_INLINE Pack square_root(Pack x) { return hn::Sqrt(x.v); }
HWY_INLINE Pack scaled(Pack x, Pack shifted) {
  return number_of(hn::Add(bits_of(x), hn::ShiftLeft<52>(bits_of(shifted))));
}
template <int bit>
HWY_INLINE Choice has_bit(Pack shifted) {
  const auto one = hn::Set(DoubleBits(), std::uint64_t{1} << bit);
  return {hn::RebindMask(Doubles(), hn::TestBit(bits_of(shifted), one))};
}
struct SplitPack {
  Pack exponent, significand;
};
HWY_INLINE SplitPack split(Pack x) {
  const DoubleBits d;
  const auto bits = hn::Add(bits_of(x), hn::Set(d, split_offset));
  return {
      number_of(hn::Or(hn::ShiftRight<52>(bits), hn::Set(d, rounder_bits))) - Pack(exponent_offset),
      number_of(hn::Add(hn::And(bits, hn::Set(d, float64_mantissa)), hn::Set(d, half_root_bits)))};
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
