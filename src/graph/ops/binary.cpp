// Operations of two operands, element by element.
#include <bit>
#include <cmath>
#include <limits>

#include "graph/evaluate/functions.h"
#include "graph/ops/all.h"
#include "graph/ops/elementwise.h"

namespace trainyard::graph {

namespace {

// Integers stand in 64 bits: what lies above the bits of their format is cut off by the store.
struct NumberFormat {
  int width;
  bool boolean;

  [[nodiscard]] std::uint64_t low_bits(std::uint64_t value) const {
    return width == 64 ? value : value & ((1ull << width) - 1);
  }
};

// Each function is a type with one member for all computing types.
struct Add {
  template <typename T>
  static T of(T a, T b, NumberFormat format) {
    if (format.boolean) return a != T{} || b != T{} ? T(1) : T{};
    return fold(OpKind::add, a, b);
  }
};

struct Subtract {
  template <typename T>
  static T of(T a, T b, NumberFormat) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    } else {
      return a - b;
    }
  }
};

struct Multiply {
  template <typename T>
  static T of(T a, T b, NumberFormat) {
    return fold(OpKind::multiply, a, b);
  }
};

struct Divide {
  template <typename T>
  static T of(T a, T b, NumberFormat) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return static_cast<T>(-1);
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) {
        return static_cast<T>(0 - static_cast<std::uint64_t>(a));
      }
    }
    return a / b;
  }
};

struct Remainder {
  template <typename T>
  static T of(T a, T b, NumberFormat) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return a;
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
      return a % b;
    } else if constexpr (is_complex_number<T>) {
      return a;
    } else {
      return std::fmod(a, b);
    }
  }
};

template <typename T>
T integer_power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base == -1) return (exponent & 1) != 0 ? -1 : 1;
      return 0;
    }
  }
  std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
  for (auto left = static_cast<std::uint64_t>(exponent); left > 0; left >>= 1) {
    if ((left & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

struct Power {
  template <typename T>
  static T of(T base, T exponent, NumberFormat) {
    if constexpr (std::is_integral_v<T>) {
      return integer_power(base, exponent);
    } else if constexpr (is_complex_number<T>) {
      return complex_power(base, exponent);
    } else {
      return static_cast<T>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
  }
};

struct ArcTangent {
  template <typename T>
  static T of(T y, T x, NumberFormat) {
    if constexpr (is_complex_number<T>) {
      const T i(0, 1);
      return -i * std::log((x + i * y) / std::sqrt(x * x + y * y));
    } else {
      return static_cast<T>(std::atan2(static_cast<double>(y), static_cast<double>(x)));
    }
  }
};

// Complex numbers order by real part, then by imaginary part, as XLA has them.
template <OpKind kind>
struct Extremum {
  template <typename T>
  static T of(T a, T b, NumberFormat) {
    if constexpr (is_complex_number<T>) {
      if (std::isnan(a.real()) || std::isnan(a.imag())) return a;
      if (std::isnan(b.real()) || std::isnan(b.imag())) return b;
      const bool less = a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
      return less == (kind == OpKind::minimum) ? a : b;
    } else {
      return fold(kind, a, b);
    }
  }
};

// Functions of integers and booleans alone.
template <typename Function>
struct OfIntegers {
  template <typename T>
  static T of(T a, T b, NumberFormat format) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(
          Function::of(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b), format));
    } else {
      return a;
    }
  }
};
using Word = std::uint64_t;
struct AndWords {
  static Word of(Word a, Word b, NumberFormat) { return a & b; }
};
struct OrWords {
  static Word of(Word a, Word b, NumberFormat) { return a | b; }
};
struct XorWords {
  static Word of(Word a, Word b, NumberFormat) { return a ^ b; }
};
// By the width and more nothing is left, of a signed number its sign.
bool shifts_all(Word amount, NumberFormat format) {
  return format.low_bits(amount) >= static_cast<Word>(format.width);
}
struct LeftWords {
  static Word of(Word a, Word b, NumberFormat format) {
    return shifts_all(b, format) ? 0 : a << format.low_bits(b);
  }
};
struct RightWords {
  static Word of(Word a, Word b, NumberFormat format) {
    return shifts_all(b, format) ? 0 : format.low_bits(a) >> format.low_bits(b);
  }
};
struct SignedRightWords {
  static Word of(Word a, Word b, NumberFormat format) {
    const auto top = static_cast<std::int64_t>(a << (64 - format.width)) >> (64 - format.width);
    const Word by =
        shifts_all(b, format) ? static_cast<Word>(format.width - 1) : format.low_bits(b);
    return static_cast<Word>(top >> by);
  }
};
using And = OfIntegers<AndWords>;
using Or = OfIntegers<OrWords>;
using Xor = OfIntegers<XorWords>;
using ShiftLeft = OfIntegers<LeftWords>;
using ShiftRight = OfIntegers<SignedRightWords>;
using ShiftRightLogical = OfIntegers<RightWords>;

template <typename Function>
Value evaluate_binary(const Evaluation& e) {
  const ElementType type = e.operand(0).type.element;
  e.require(e.operand(1).type.element == type && e.operand(0).shape() == e.operand(1).shape(),
            "both operands have one type");
  return with_number_of(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> a = numbers<T>(e.operand(0));
    const std::vector<T> b = numbers<T>(e.operand(1));
    const NumberFormat format{bits(type), type == ElementType::pred};
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = Function::of(a[i], b[i], format);
    return tensor_of(e.result(), a);
  });
}

constexpr auto binary_records = std::to_array<OpRecord>({
    {.kind = OpKind::add,
     .name = "add",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::fold},
     .verify = uniform<any_element>,
     .evaluate = alone<evaluate_binary<Add>>,
     .factors = elementwise_factors},
    {.kind = OpKind::and_,
     .name = "and",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::fold, Trait::idempotent, Trait::bitwise},
     .verify = uniform<bitwise_element>,
     .evaluate = alone<evaluate_binary<And>>,
     .factors = elementwise_factors},
    {.kind = OpKind::atan2,
     .name = "atan2",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::transcendental},
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_binary<ArcTangent>>,
     .factors = elementwise_factors},
    {.kind = OpKind::divide,
     .name = "divide",
     .operands = {2, 2},
     .traits = {Trait::elementwise},
     .verify = uniform<number_element>,
     .evaluate = alone<evaluate_binary<Divide>>,
     .factors = elementwise_factors},
    {.kind = OpKind::maximum,
     .name = "maximum",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::fold, Trait::idempotent, Trait::choice},
     .verify = uniform<any_element>,
     .evaluate = alone<evaluate_binary<Extremum<OpKind::maximum>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::minimum,
     .name = "minimum",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::fold, Trait::idempotent, Trait::choice},
     .verify = uniform<any_element>,
     .evaluate = alone<evaluate_binary<Extremum<OpKind::minimum>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::multiply,
     .name = "multiply",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::fold},
     .verify = uniform<any_element>,
     .evaluate = alone<evaluate_binary<Multiply>>,
     .factors = elementwise_factors},
    {.kind = OpKind::or_,
     .name = "or",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::fold, Trait::idempotent, Trait::bitwise},
     .verify = uniform<bitwise_element>,
     .evaluate = alone<evaluate_binary<Or>>,
     .factors = elementwise_factors},
    {.kind = OpKind::power,
     .name = "power",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::transcendental},
     .verify = uniform<number_element>,
     .evaluate = alone<evaluate_binary<Power>>,
     .factors = elementwise_factors},
    {.kind = OpKind::remainder,
     .name = "remainder",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::step},
     .verify = uniform<number_element>,
     .evaluate = alone<evaluate_binary<Remainder>>,
     .factors = elementwise_factors},
    {.kind = OpKind::shift_left,
     .name = "shift_left",
     .operands = {2, 2},
     .traits = {Trait::elementwise},
     .verify = uniform<integer_element>,
     .evaluate = alone<evaluate_binary<ShiftLeft>>,
     .factors = elementwise_factors},
    {.kind = OpKind::shift_right_arithmetic,
     .name = "shift_right_arithmetic",
     .operands = {2, 2},
     .traits = {Trait::elementwise},
     .verify = uniform<integer_element>,
     .evaluate = alone<evaluate_binary<ShiftRight>>,
     .factors = elementwise_factors},
    {.kind = OpKind::shift_right_logical,
     .name = "shift_right_logical",
     .operands = {2, 2},
     .traits = {Trait::elementwise},
     .verify = uniform<integer_element>,
     .evaluate = alone<evaluate_binary<ShiftRightLogical>>,
     .factors = elementwise_factors},
    {.kind = OpKind::subtract,
     .name = "subtract",
     .operands = {2, 2},
     .traits = {Trait::elementwise},
     .verify = uniform<number_element>,
     .evaluate = alone<evaluate_binary<Subtract>>,
     .factors = elementwise_factors},
    {.kind = OpKind::xor_,
     .name = "xor",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::bitwise},
     .verify = uniform<bitwise_element>,
     .evaluate = alone<evaluate_binary<Xor>>,
     .factors = elementwise_factors},
});

}  // namespace

std::span<const OpRecord> binary_ops() { return binary_records; }

}  // namespace trainyard::graph
