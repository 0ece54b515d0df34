// The float32 operators of alu.h on one vector. Included once per instruction set, hence no pragma
// once.
#if defined(TRAINYARD_NUMERICS_ALU_OPERATORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_ALU_OPERATORS_INL_H
#undef TRAINYARD_NUMERICS_ALU_OPERATORS_INL_H
#else
#define TRAINYARD_NUMERICS_ALU_OPERATORS_INL_H
#endif

#include <hwy/highway.h>

#include "numerics/alu.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using F = hn::Vec<Floats>;
using M = hn::Mask<Floats>;

HWY_INLINE F number(float x) { return hn::Set(Floats(), x); }
HWY_INLINE F quiet_nan() {
  return hn::BitCast(Floats(), hn::Set(hn::RebindToUnsigned<Floats>(), 0x7FC00000u));
}
HWY_INLINE F truth(M condition) { return hn::IfThenElseZero(condition, number(1.0f)); }
// Ne of a NaN differs among instruction sets, "not Eq" does not.
HWY_INLINE M holds(F x) { return hn::Not(hn::Eq(x, hn::Zero(Floats()))); }
HWY_INLINE F one_nan(F x) { return hn::IfThenElse(hn::IsNaN(x), quiet_nan(), x); }

// Equal numbers differ in bits only when they are zeros of both signs: "and" gives plus zero, "or"
// minus zero.
HWY_INLINE F maximum(F a, F b) {
  const F ordered = hn::IfThenElse(hn::Gt(a, b), a, b);
  const F value = hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), ordered);
  return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), quiet_nan(), value);
}
HWY_INLINE F minimum(F a, F b) {
  const F ordered = hn::IfThenElse(hn::Lt(a, b), a, b);
  const F value = hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), ordered);
  return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), quiet_nan(), value);
}

template <AluOp op>
HWY_INLINE F value_of(F a, F b) {
  if constexpr (op == AluOp::bypass) return one_nan(a);
  if constexpr (op == AluOp::add) return one_nan(hn::Add(a, b));
  if constexpr (op == AluOp::subtract) return one_nan(hn::Sub(a, b));
  if constexpr (op == AluOp::multiply) return one_nan(hn::Mul(a, b));
  if constexpr (op == AluOp::divide) return one_nan(hn::Div(a, b));
  if constexpr (op == AluOp::maximum) return maximum(a, b);
  if constexpr (op == AluOp::minimum) return minimum(a, b);
  if constexpr (op == AluOp::abs_max) {
    return one_nan(hn::IfThenElse(hn::Or(hn::Gt(hn::Abs(a), hn::Abs(b)), hn::IsNaN(a)), a, b));
  }
  if constexpr (op == AluOp::abs_min) {
    return one_nan(hn::IfThenElse(hn::Or(hn::Lt(hn::Abs(a), hn::Abs(b)), hn::IsNaN(a)), a, b));
  }
  if constexpr (op == AluOp::equal) return truth(hn::Eq(a, b));
  if constexpr (op == AluOp::not_equal) return truth(hn::Not(hn::Eq(a, b)));
  if constexpr (op == AluOp::less) return truth(hn::Lt(a, b));
  if constexpr (op == AluOp::less_equal) return truth(hn::Le(a, b));
  if constexpr (op == AluOp::greater) return truth(hn::Gt(a, b));
  if constexpr (op == AluOp::greater_equal) return truth(hn::Ge(a, b));
  if constexpr (op == AluOp::logical_and) return truth(hn::And(holds(a), holds(b)));
  if constexpr (op == AluOp::logical_or) return truth(hn::Or(holds(a), holds(b)));
  if constexpr (op == AluOp::logical_xor) return truth(hn::Xor(holds(a), holds(b)));
  if constexpr (op == AluOp::reciprocal) return one_nan(hn::Div(number(1.0f), a));
  if constexpr (op == AluOp::abs) return one_nan(hn::Abs(a));
  if constexpr (op == AluOp::square) return one_nan(hn::Mul(a, a));
  if constexpr (op == AluOp::relu)
    return one_nan(hn::IfThenZeroElse(hn::Le(a, hn::Zero(Floats())), a));
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
