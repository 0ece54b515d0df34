// exp of float32, the same bits as the definition of elementary-inl.h in fewer operations: a short
// polynomial that is off by less than 2^-36, which decides nothing unless the number lies as close
// to where rounding to float32 turns. There the definition is asked. Only for vectors of eight
// float64. Included once per instruction set, hence no pragma once.
#if defined(TRAINYARD_NUMERICS_QUICK_EXP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_QUICK_EXP_INL_H
#undef TRAINYARD_NUMERICS_QUICK_EXP_INL_H
#else
#define TRAINYARD_NUMERICS_QUICK_EXP_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "numerics/elementary-inl.h"
#include "numerics/float64_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

HWY_INLINE FloatVector exp_by_definition(FloatVector x) {
  return rounded(HWY_NAMESPACE::exp(widened(x)), x);
}

#if HWY_TARGET <= HWY_AVX3

// x = (8 k + i) log(2)/8 + rest, |rest| <= log(2)/16: exp(x) = 2^k 2^(i/8) exp(rest), the last one
// by Taylor's polynomial of degree 5, whose next term is below 2^-36.6 of the result.
class QuickExp {
 public:
  HWY_INLINE QuickExp() {}

  HWY_INLINE FloatVector operator()(FloatVector x) const {
    // Below, the result is 0; above, infinity. The order of operands lets a NaN through.
    const auto bounded = hn::Min(highest_, hn::Max(lowest_, widened(x).v));
    const auto shifted = hn::MulAdd(bounded, inverse_, rounder_);
    const auto rest = hn::NegMulAdd(hn::Sub(shifted, rounder_), eighth_, bounded);
    const auto power = hn::MulAdd(
        hn::MulAdd(hn::MulAdd(hn::MulAdd(hn::MulAdd(c5_, rest, c4_), rest, c3_), rest, c2_), rest,
                   one_),
        rest, one_);
    const auto value = hn::Mul(scale(shifted), power);
    const FloatVector result = to_float32(Pack(value));
    if (is_uncertain(value) || is_special(result)) [[unlikely]]
      return exp_by_definition(x);
    return result;
  }

 private:
  using V = hn::Vec<Doubles>;
  static HWY_INLINE V number(double value) { return hn::Set(Doubles(), value); }
  static HWY_INLINE hn::Vec<DoubleBits> word(std::uint64_t bits) {
    return hn::Set(DoubleBits(), bits);
  }

  // 2^k 2^(i/8). The table holds the bits of 2^(i/8) less those that i itself adds to the exponent
  // when 8 k + i is moved there.
  HWY_INLINE V scale(V shifted) const {
    const auto n = hn::BitCast(DoubleBits(), shifted);
    const auto root = hn::TableLookupLanes(roots_, hn::IndicesFromVec(DoubleBits(), n));
    return hn::BitCast(Doubles(), hn::Add(root, hn::ShiftLeft<49>(n)));
  }

  // Is any number within 2^17 of its own last places of the middle between two float32, which has
  // 2^28 in its lowest 29 bits? The polynomial is off by less than 2^16.5 of them.
  HWY_INLINE bool is_uncertain(V value) const {
    const auto moved = hn::Add(hn::BitCast(DoubleBits(), value), to_middle_);
    return _mm512_testn_epi64_mask(moved.raw, far_.raw) != 0;
  }
  // Is any a NaN, or so small that its places are others?
  static HWY_INLINE bool is_special(FloatVector result) {
    constexpr int quiet_nan = 0x01, denormal = 0x20, signalling_nan = 0x80;
    return _mm256_fpclass_ps_mask(result.raw, quiet_nan | denormal | signalling_nan) != 0;
  }

  HWY_ALIGN static constexpr std::uint64_t roots[8] = {0x3FF0000000000000,
                                                       0x3FF172B83C7D517B - (1ull << 49),
                                                       0x3FF306FE0A31B715 - (2ull << 49),
                                                       0x3FF4BFDAD5362A27 - (3ull << 49),
                                                       0x3FF6A09E667F3BCD - (4ull << 49),
                                                       0x3FF8ACE5422AA0DB - (5ull << 49),
                                                       0x3FFAE89F995AD3AD - (6ull << 49),
                                                       0x3FFD5818DCFBA487 - (7ull << 49)};
  hn::Vec<DoubleBits> roots_ = hn::Load(DoubleBits(), roots);
  hn::Vec<DoubleBits> to_middle_ = word((1u << 28) + (1u << 17)),
                      far_ = word(0x1FFFFFFF & ~0x3FFFF);
  V lowest_ = number(-105), highest_ = number(90), rounder_ = number(rounder);
  V inverse_ = number(8 * log2_inverse), eighth_ = number(0x1.62e42fefa39efp-4);
  V c5_ = number(1.0 / 120), c4_ = number(1.0 / 24), c3_ = number(1.0 / 6), c2_ = number(0.5);
  V one_ = number(1);
};

#else

struct QuickExp {
  HWY_INLINE FloatVector operator()(FloatVector x) const { return exp_by_definition(x); }
};

#endif

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
