// exp of float32, the same bits as the definition of elementary-inl.h in fewer operations: float32
// throughout, with what each rounding takes carried along, off by less than 2^-35. That decides the
// result unless the number lies as close to where rounding turns. There the definition is asked.
// Compared for all 2^32 numbers. Only for vectors of sixteen. Included once per instruction set,
// hence no pragma once.
#if defined(TRAINYARD_NUMERICS_QUICK_EXP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_QUICK_EXP_INL_H
#undef TRAINYARD_NUMERICS_QUICK_EXP_INL_H
#else
#define TRAINYARD_NUMERICS_QUICK_EXP_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "numerics/alu_operators-inl.h"
#include "numerics/elementary-inl.h"
#include "numerics/float64_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

HWY_INLINE FloatVector exp_by_definition(FloatVector x) {
  return rounded(HWY_NAMESPACE::exp(widened(x)), x);
}

#if HWY_TARGET <= HWY_AVX3

HWY_NOINLINE inline F exp_by_definition(F x) {
  const Singles half;
  return hn::Combine(Floats(), exp_by_definition(hn::UpperHalf(half, x)),
                     exp_by_definition(hn::LowerHalf(half, x)));
}

// Both kinds of quick exp split x = n log(2) + rest, where n is a multiple of 1/32:
// exp(x) = 2^floor(n) 2^(i/32) exp(rest).
struct ExpTable {
  HWY_INLINE ExpTable() {}
  // Sums with it end in 32 n. Only the low five bits choose the root.
  static HWY_INLINE F rounder() { return number(0x1.8p18f); }
  template <class Numbers>
  static HWY_INLINE F at(F shifted, const Numbers& numbers) {
    return F{
        _mm512_permutex2var_ps(numbers[0].raw, _mm512_castps_si512(shifted.raw), numbers[1].raw)};
  }
  F roots[2] = {hn::Load(Floats(), exp_roots), hn::Load(Floats(), exp_roots + 16)};
  F inverse = number(0x1.715476p+0f);
  // log(2) in two parts. n times the first, taken from x, leaves float32's places no rest.
  F log2_high = number(0x1.62e43p-1f), log2_low = number(-0x1.05c61p-29f);
};

class QuickExp {
 public:
  using Tag = Floats;
  HWY_INLINE QuickExp() {}

  HWY_INLINE F operator()(F x) const {
    // Below, the result is 0; above, infinity. The order of operands lets a NaN through.
    const F bounded = hn::Min(highest_, hn::Max(lowest_, x));
    const F shifted = hn::MulAdd(bounded, table_.inverse, rounder_);
    const F n = hn::Sub(shifted, rounder_);
    const F rest = hn::NegMulAdd(n, table_.log2_high, bounded);
    // All that is so small that one rounding of it does not matter: the second part of the rest,
    // the root's own second part, and 2^-35 beside it.
    const F small = hn::NegMulAdd(n, table_.log2_low, ExpTable::at(shifted, rests_));
    const F whole = hn::Add(rest, small);
    const F bend = hn::MulAdd(hn::MulAdd(c4_, whole, c3_), whole, c2_);
    const F tail = hn::MulAdd(hn::Mul(whole, whole), bend, small);
    const F root = ExpTable::at(shifted, table_.roots);
    const F high = hn::MulAdd(root, rest, root);
    const F lost = hn::MulAdd(root, rest, hn::Sub(root, high));
    const F low = hn::MulAdd(root, tail, lost);
    const F most = hn::Add(high, low), least = hn::Add(high, hn::Sub(low, margins_));
    const F result{_mm512_scalef_ps(most.raw, n.raw)};
    if (differ(most, least) || is_subnormal(result)) [[unlikely]]
      return exp_by_definition(x);
    return result;
  }

 private:
  // NaNs do.
  static HWY_INLINE bool differ(F a, F b) {
    return _mm512_cmp_ps_mask(a.raw, b.raw, _CMP_NEQ_UQ) != 0;
  }
  static HWY_INLINE bool is_subnormal(F result) {
    constexpr int subnormal = 0x20;
    return _mm512_fpclass_ps_mask(result.raw, subnormal) != 0;
  }

  ExpTable table_;
  F rests_[2] = {hn::Load(Floats(), exp_root_rests), hn::Load(Floats(), exp_root_rests + 16)};
  F rounder_ = ExpTable::rounder(), margins_ = number(0x1p-34f);
  F lowest_ = number(-105), highest_ = number(90);
  F c2_ = number(quick_exp_terms[0]), c3_ = number(quick_exp_terms[1]),
    c4_ = number(quick_exp_terms[2]);
};

#else

struct QuickExp {
  using Tag = Singles;
  HWY_INLINE FloatVector operator()(FloatVector x) const { return exp_by_definition(x); }
};

#endif

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
