// Between vectors of float32 and the float64 lanes that elementary functions compute in. Included
// once per instruction set, hence no pragma once.
#if defined(TRAINYARD_NUMERICS_FLOAT64_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_FLOAT64_LANES_INL_H
#undef TRAINYARD_NUMERICS_FLOAT64_LANES_INL_H
#else
#define TRAINYARD_NUMERICS_FLOAT64_LANES_INL_H
#endif

#include <array>

#include "numerics/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

using Singles = hn::Rebind<float, Doubles>;
using FloatVector = hn::Vec<Singles>;

HWY_INLINE Pack widened(FloatVector x) { return Pack(hn::PromoteTo(Doubles(), x)); }

// Highway's plain C++ target stops at the largest float32 where the language's own conversion, like
// every other target, gives infinity.
HWY_INLINE FloatVector to_float32(Pack value) {
  const Singles d;
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  std::array<double, hn::MaxLanes(d)> wide;
  std::array<float, hn::MaxLanes(d)> narrow;
  hn::StoreU(value.v, Doubles(), wide.data());
  for (std::size_t i = 0; i < wide.size(); ++i) narrow[i] = static_cast<float>(wide[i]);
  return hn::LoadU(d, narrow.data());
#else
  return hn::DemoteTo(d, value.v);
#endif
}

HWY_INLINE FloatVector quiet_nan_of(Singles d) {
  return hn::BitCast(d, hn::Set(hn::RebindToUnsigned<Singles>(), 0x7FC00000u));
}

// The result rounded to float32, with every NaN, also of the argument, made the one quiet NaN.
HWY_INLINE FloatVector rounded(Pack value, FloatVector argument) {
  const FloatVector result = to_float32(value);
  return hn::IfThenElse(hn::Or(hn::IsNaN(result), hn::IsNaN(argument)), quiet_nan_of(Singles()),
                        result);
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
