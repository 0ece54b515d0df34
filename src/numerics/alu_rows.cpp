// The float32 operators of alu.h on vectors. Compiled once per instruction set and chosen at run
// time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/alu_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "numerics/alu.h"
#include "numerics/alu_operators-inl.h"
#include "numerics/alu_rows.h"
#include "numerics/elementary-inl.h"
#include "numerics/float64_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

template <AluOp op>
struct SingleStep {
  using Tag = Floats;
  HWY_INLINE F operator()(F a, F b) const { return value_of<op>(a, b); }
};

// The operators that compute in float64.
struct RsqrtStep {
  using Tag = Singles;
  HWY_INLINE FloatVector operator()(FloatVector a, FloatVector) const {
    return rounded(Pack(1.0) / square_root(widened(a)), a);
  }
};
struct PowerStep {
  using Tag = Singles;
  HWY_INLINE FloatVector operator()(FloatVector a, FloatVector b) const {
    const Singles d;
    const FloatVector one = hn::Set(d, 1.0f), value = to_float32(power(widened(a), widened(b)));
    const auto is_nan = hn::Or(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), hn::IsNaN(value));
    const auto is_one = hn::Or(hn::Eq(a, one), hn::Eq(b, hn::Zero(d)));
    return hn::IfThenElse(is_one, one, hn::IfThenElse(is_nan, quiet_nan_of(d), value));
  }
};

// One vector at place i of an operand; the last one of a row may be partly filling.
template <class Tag>
struct RowReader {
  const float* values;
  HWY_INLINE hn::Vec<Tag> at(std::size_t i) const { return hn::LoadU(Tag(), values + i); }
  HWY_INLINE hn::Vec<Tag> rest(std::size_t i, std::size_t n) const {
    HWY_ALIGN std::array<float, hn::MaxLanes(Tag())> filled{};
    std::copy(values + i, values + n, filled.begin());
    return hn::LoadU(Tag(), filled.data());
  }
};
template <class Tag>
struct ConstantReader {
  hn::Vec<Tag> value;
  HWY_INLINE hn::Vec<Tag> at(std::size_t) const { return value; }
  HWY_INLINE hn::Vec<Tag> rest(std::size_t, std::size_t) const { return value; }
};

template <class Step, class A, class B>
HWY_INLINE void each_vector(Step step, A a, B b, float* out, std::size_t n) {
  const typename Step::Tag d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(step(a.at(i), b.at(i)), d, out + i);
  if (i == n) return;
  HWY_ALIGN std::array<float, lanes> result;
  hn::StoreU(step(a.rest(i, n), b.rest(i, n)), d, result.data());
  std::copy(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(n - i), out + i);
}

template <class Step>
void row_of(Operand a, Operand b, float* out, std::size_t n) {
  using Tag = typename Step::Tag;
  using Row = RowReader<Tag>;
  using Constant = ConstantReader<Tag>;
  const Tag d;
  if (a.is_row && b.is_row) return each_vector(Step(), Row{a.values}, Row{b.values}, out, n);
  if (a.is_row) return each_vector(Step(), Row{a.values}, Constant{hn::Set(d, *b.values)}, out, n);
  if (b.is_row) return each_vector(Step(), Constant{hn::Set(d, *a.values)}, Row{b.values}, out, n);
  base::fail("an operator on a row needs a row");
}

template <AluOp op>
void row(Operand a, Operand b, float* out, std::size_t n) {
  if constexpr (op == AluOp::power) {
    row_of<PowerStep>(a, b, out, n);
  } else if constexpr (op == AluOp::rsqrt) {
    row_of<RsqrtStep>(a, b, out, n);
  } else if constexpr (op == AluOp::fmod || op == AluOp::mod || op == AluOp::average ||
                       is_bitwise(op)) {
    base::fail("this operator has no vector form");
  } else {
    row_of<SingleStep<op>>(a, b, out, n);
  }
}

using Row = void (*)(Operand a, Operand b, float* out, std::size_t n);
template <std::size_t... i>
constexpr std::array<Row, sizeof...(i)> all_rows(std::index_sequence<i...>) {
  return {&row<static_cast<AluOp>(i)>...};
}

void apply_vectors(AluOp op, Operand a, Operand b, float* out, std::size_t n) {
  static constexpr auto rows = all_rows(std::make_index_sequence<alu_op_count>());
  rows[static_cast<std::size_t>(op)](a, b, out, n);
}

template <AluOp op>
float extreme(const float* x, std::size_t n, float initial) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), chains = 4;
  std::array<F, chains> best;
  best.fill(number(initial));
  std::size_t i = 0;
  for (; i + chains * lanes <= n; i += chains * lanes) {
    for (std::size_t c = 0; c < chains; ++c)
      best[c] = value_of<op>(best[c], hn::LoadU(d, x + i + c * lanes));
  }
  best[0] = value_of<op>(value_of<op>(best[0], best[1]), value_of<op>(best[2], best[3]));
  HWY_ALIGN std::array<float, lanes> left;
  hn::StoreU(best[0], d, left.data());
  float result = initial;
  for (const float value : left) result = apply(op, result, value);
  for (; i < n; ++i) result = apply(op, result, x[i]);
  return result;
}

float extreme_vectors(AluOp op, const float* x, std::size_t n, float initial) {
  return op == AluOp::maximum ? extreme<AluOp::maximum>(x, n, initial)
                              : extreme<AluOp::minimum>(x, n, initial);
}

using Integers = hn::RebindToSigned<Floats>;

Magnitudes magnitudes_vectors(const float* x, std::size_t n) {
  const Integers d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr std::int32_t mask = 0x7FFFFFFF;
  auto smallest = hn::Set(d, mask), largest = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto size = hn::And(hn::BitCast(d, hn::LoadU(Floats(), x + i)), hn::Set(d, mask));
    smallest = hn::Min(smallest, size);
    largest = hn::Max(largest, size);
  }
  HWY_ALIGN std::array<std::int32_t, lanes> low, high;
  hn::StoreU(smallest, d, low.data());
  hn::StoreU(largest, d, high.data());
  Magnitudes result{*std::ranges::min_element(low), *std::ranges::max_element(high)};
  for (; i < n; ++i) {
    const std::int32_t size = std::bit_cast<std::int32_t>(x[i]) & mask;
    result.smallest = std::min(result.smallest, size);
    result.largest = std::max(result.largest, size);
  }
  return result;
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(apply_vectors);
HWY_EXPORT(extreme_vectors);
HWY_EXPORT(magnitudes_vectors);

bool has_vector_form(AluOp op) {
  return op != AluOp::fmod && op != AluOp::mod && op != AluOp::average && !is_bitwise(op);
}

void apply_row(AluOp op, Operand a, Operand b, float* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(apply_vectors)(op, a, b, out, n);
}

float extreme_of_row(AluOp op, const float* x, std::size_t n, float initial) {
  return HWY_DYNAMIC_DISPATCH(extreme_vectors)(op, x, n, initial);
}

float extreme_magnitude_of_row(AluOp op, const float* x, std::size_t n, float initial) {
  const auto [smallest, largest] = HWY_DYNAMIC_DISPATCH(magnitudes_vectors)(x, n);
  if (largest > 0x7F800000) return apply(AluOp::bypass, std::bit_cast<float>(largest), 0);
  const std::int32_t wanted = op == AluOp::abs_max ? largest : smallest;
  std::size_t last = n - 1;
  while ((std::bit_cast<std::int32_t>(x[last]) & 0x7FFFFFFF) != wanted) --last;
  return apply(op, initial, x[last]);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
