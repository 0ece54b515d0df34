// Rows of activation functions: float32 widened to float64 lanes, the definitions of
// activation-inl.h, one rounding. Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/activation_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "numerics/activation-inl.h"
#include "numerics/activation.h"
#include "numerics/float64_lanes-inl.h"
#include "numerics/quick_exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

template <class Step>
HWY_INLINE void each_vector(const float* x, float* out, std::size_t n, const Step& step) {
  const typename Step::Tag d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(step(hn::LoadU(d, x + i)), d, out + i);
  if (i == n) return;
  HWY_ALIGN std::array<float, lanes> values{};
  std::copy(x + i, x + n, values.begin());
  hn::StoreU(step(hn::LoadU(d, values.data())), d, values.data());
  std::copy(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n - i), out + i);
}

template <ActivationFunction function>
struct ActivationStep {
  using Tag = Singles;
  Pack parameter;
  HWY_INLINE FloatVector operator()(FloatVector x) const {
    return rounded(activation_value<function>(widened(x), parameter), x);
  }
};

struct ExponentialStep {
  using Tag = QuickExp::Tag;
  hn::Vec<Tag> shift;
  QuickExp quick_exp;
  HWY_INLINE hn::Vec<Tag> operator()(hn::Vec<Tag> x) const { return quick_exp(hn::Sub(x, shift)); }
};

struct ScaledExpStep {
  using Tag = QuickExp::Tag;
  hn::Vec<Tag> scale, bias;
  QuickExp quick_exp;
  HWY_INLINE hn::Vec<Tag> operator()(hn::Vec<Tag> x) const {
    return quick_exp(hn::Add(hn::Mul(x, scale), bias));
  }
};

using Row = void (*)(const float* x, float* out, std::size_t n, float parameter);

template <ActivationFunction function>
void activation_row(const float* x, float* out, std::size_t n, float parameter) {
  if constexpr (function == ActivationFunction::exp) {
    each_vector(x, out, n, QuickExp());
  } else {
    each_vector(x, out, n, ActivationStep<function>{Pack(static_cast<double>(parameter))});
  }
}

template <std::size_t... i>
constexpr std::array<Row, sizeof...(i)> all_rows(std::index_sequence<i...>) {
  return {&activation_row<static_cast<ActivationFunction>(i)>...};
}

void activate_vectors(ActivationFunction function, const float* x, float* out, std::size_t n,
                      float parameter) {
  static constexpr auto rows = all_rows(std::make_index_sequence<activation_function_count>());
  rows[static_cast<std::size_t>(function)](x, out, n, parameter);
}

void exponential_vectors(const float* x, float shift, float* out, std::size_t n) {
  each_vector(x, out, n, ExponentialStep{hn::Set(QuickExp::Tag(), shift), QuickExp()});
}

void scaled_exp_vectors(const float* x, float scale, float bias, float* out, std::size_t n) {
  const QuickExp::Tag d;
  each_vector(x, out, n, ScaledExpStep{hn::Set(d, scale), hn::Set(d, bias), QuickExp()});
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(activate_vectors);
HWY_EXPORT(exponential_vectors);
HWY_EXPORT(scaled_exp_vectors);

void activate(ActivationFunction function, const float* x, float* out, std::size_t n,
              float parameter) {
  HWY_DYNAMIC_DISPATCH(activate_vectors)(function, x, out, n, parameter);
}

void exponential(const float* x, float shift, float* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(exponential_vectors)(x, shift, out, n);
}

void scaled_exp(const float* x, float scale, float bias, float* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(scaled_exp_vectors)(x, scale, bias, out, n);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
