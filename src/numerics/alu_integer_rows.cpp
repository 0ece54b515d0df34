// The integer and bit operators of alu.h on vectors. Compiled once per instruction set and chosen
// at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/alu_integer_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "numerics/alu_integer_rows.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::ScalableTag<T>;
template <typename T>
using V = hn::Vec<Tag<T>>;
using Words = Tag<std::uint32_t>;
using U = V<std::uint32_t>;

template <typename T>
HWY_INLINE V<T> truth(hn::Mask<Tag<T>> condition) {
  return hn::IfThenElseZero(condition, hn::Set(Tag<T>(), T{1}));
}
template <typename T>
HWY_INLINE hn::Mask<Tag<T>> holds(V<T> x) {
  return hn::Not(hn::Eq(x, hn::Zero(Tag<T>())));
}
template <typename T>
HWY_INLINE V<T> absolute(V<T> x) {
  if constexpr (std::is_signed_v<T>)
    return hn::Abs(x);
  else
    return x;
}
// The signed operand whose magnitude, an unsigned number, wins; the second one of a tie.
template <typename T>
HWY_INLINE V<T> first_if(hn::Mask<Words> condition, V<T> a, V<T> b) {
  return hn::IfThenElse(hn::RebindMask(Tag<T>(), condition), a, b);
}
// Shifts by 32 or more give 0.
template <AluOp op>
HWY_INLINE U shifted(U a, U count) {
  const Words d;
  const U places = hn::And(count, hn::Set(d, 31u));
  const U value = op == AluOp::left_shift ? hn::Shl(a, places) : hn::Shr(a, places);
  return hn::IfThenElseZero(hn::Eq(places, count), value);
}

template <AluOp op, typename T>
HWY_INLINE V<T> value_of(V<T> a, V<T> b) {
  const Tag<T> d;
  const Words words;
  if constexpr (op == AluOp::bypass) return a;
  if constexpr (op == AluOp::add) return hn::Add(a, b);
  if constexpr (op == AluOp::subtract) return hn::Sub(a, b);
  if constexpr (op == AluOp::multiply) return hn::Mul(a, b);
  if constexpr (op == AluOp::maximum) return hn::Max(a, b);
  if constexpr (op == AluOp::minimum) return hn::Min(a, b);
  const U size_a = hn::BitCast(words, absolute<T>(a)), size_b = hn::BitCast(words, absolute<T>(b));
  if constexpr (op == AluOp::abs_max) return first_if<T>(hn::Gt(size_a, size_b), a, b);
  if constexpr (op == AluOp::abs_min) return first_if<T>(hn::Lt(size_a, size_b), a, b);
  if constexpr (op == AluOp::equal) return truth<T>(hn::Eq(a, b));
  if constexpr (op == AluOp::not_equal) return truth<T>(hn::Not(hn::Eq(a, b)));
  if constexpr (op == AluOp::less) return truth<T>(hn::Lt(a, b));
  if constexpr (op == AluOp::less_equal) return truth<T>(hn::Not(hn::Gt(a, b)));
  if constexpr (op == AluOp::greater) return truth<T>(hn::Gt(a, b));
  if constexpr (op == AluOp::greater_equal) return truth<T>(hn::Not(hn::Lt(a, b)));
  if constexpr (op == AluOp::logical_and) return truth<T>(hn::And(holds<T>(a), holds<T>(b)));
  if constexpr (op == AluOp::logical_or) return truth<T>(hn::Or(holds<T>(a), holds<T>(b)));
  if constexpr (op == AluOp::logical_xor) return truth<T>(hn::Xor(holds<T>(a), holds<T>(b)));
  if constexpr (op == AluOp::abs) return absolute<T>(a);
  if constexpr (op == AluOp::square) return hn::Mul(a, a);
  if constexpr (op == AluOp::relu) return hn::Max(a, hn::Zero(d));
  if constexpr (op == AluOp::bitwise_and) return hn::And(a, b);
  if constexpr (op == AluOp::bitwise_or) return hn::Or(a, b);
  if constexpr (op == AluOp::bitwise_xor) return hn::Xor(a, b);
  if constexpr (op == AluOp::invert) return hn::Not(a);
  if constexpr (op == AluOp::left_shift || op == AluOp::right_shift) {
    return hn::BitCast(d, shifted<op>(hn::BitCast(words, a), hn::BitCast(words, b)));
  }
}

// The vector at place i of an operand, of which `count` places are filled.
template <typename T>
HWY_INLINE V<T> at(IntegerOperand<T> operand, std::size_t i, std::size_t count) {
  const Tag<T> d;
  if (operand.step == 0) return hn::Set(d, *operand.values);
  if (count == hn::MaxLanes(d)) return hn::LoadU(d, operand.values + i);
  HWY_ALIGN std::array<T, hn::MaxLanes(d)> filled{};
  std::copy_n(operand.values + i, count, filled.begin());
  return hn::LoadU(d, filled.data());
}

template <AluOp op, typename T>
void row(IntegerOperand<T> a, IntegerOperand<T> b, T* out, std::size_t n) {
  const Tag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  if constexpr (op == AluOp::divide || op == AluOp::power || op == AluOp::rsqrt ||
                op == AluOp::reciprocal || op == AluOp::fmod || op == AluOp::mod ||
                op == AluOp::average) {
    base::fail("this operator has no integer vector form");
  } else {
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      hn::StoreU(value_of<op, T>(at(a, i, lanes), at(b, i, lanes)), d, out + i);
    }
    if (i == n) return;
    HWY_ALIGN std::array<T, lanes> result;
    hn::StoreU(value_of<op, T>(at(a, i, n - i), at(b, i, n - i)), d, result.data());
    std::copy_n(result.begin(), n - i, out + i);
  }
}

template <typename T>
using Row = void (*)(IntegerOperand<T> a, IntegerOperand<T> b, T* out, std::size_t n);
template <typename T, std::size_t... i>
constexpr std::array<Row<T>, sizeof...(i)> all_rows(std::index_sequence<i...>) {
  return {&row<static_cast<AluOp>(i), T>...};
}

void apply_int32_vectors(AluOp op, IntegerOperand<std::int32_t> a, IntegerOperand<std::int32_t> b,
                         std::int32_t* out, std::size_t n) {
  static constexpr auto rows = all_rows<std::int32_t>(std::make_index_sequence<alu_op_count>());
  rows[static_cast<std::size_t>(op)](a, b, out, n);
}

void apply_uint32_vectors(AluOp op, IntegerOperand<std::uint32_t> a,
                          IntegerOperand<std::uint32_t> b, std::uint32_t* out, std::size_t n) {
  static constexpr auto rows = all_rows<std::uint32_t>(std::make_index_sequence<alu_op_count>());
  rows[static_cast<std::size_t>(op)](a, b, out, n);
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(apply_int32_vectors);
HWY_EXPORT(apply_uint32_vectors);

bool has_integer_vector_form(AluOp op) {
  switch (op) {
    case AluOp::divide:
    case AluOp::power:
    case AluOp::rsqrt:
    case AluOp::reciprocal:
    case AluOp::fmod:
    case AluOp::mod:
    case AluOp::average: return false;
    default: return true;
  }
}

void apply_integer_row(AluOp op, IntegerOperand<std::int32_t> a, IntegerOperand<std::int32_t> b,
                       std::int32_t* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(apply_int32_vectors)(op, a, b, out, n);
}

void apply_integer_row(AluOp op, IntegerOperand<std::uint32_t> a, IntegerOperand<std::uint32_t> b,
                       std::uint32_t* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(apply_uint32_vectors)(op, a, b, out, n);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
