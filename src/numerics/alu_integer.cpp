#include "base/error.h"
#include "numerics/alu.h"
#include "numerics/alu_integer_rows.h"

namespace trainyard::numerics {

namespace {

// Arithmetic that wraps around is done on unsigned numbers; only the order of signed ones differs.
template <typename T>
std::uint32_t magnitude(T x) {
  return x < T{0} ? 0u - static_cast<std::uint32_t>(x) : static_cast<std::uint32_t>(x);
}

template <typename T>
T wrapped_power(T base, T exponent) {
  if (exponent <
      T{0}) {  // the fraction truncates to 0 unless the base is a unit; 0 has no inverse: 0
    if (magnitude(base) != 1) return 0;
    return base == T{1} || (magnitude(exponent) & 1) != 0 ? base : T{1};
  }
  std::uint32_t result = 1, factor = static_cast<std::uint32_t>(base);
  for (auto left = static_cast<std::uint32_t>(exponent); left != 0; left >>= 1, factor *= factor) {
    if ((left & 1) != 0) result *= factor;
  }
  return static_cast<T>(result);
}

// Remainders by 0 are 0, as in NumPy. Dividing the lowest number by -1 overflows in C++, so it is
// kept apart.
template <typename T>
T remainder(AluOp op, T a, T b) {
  if (b == T{0} || (b < T{0} && magnitude(b) == 1)) return 0;
  const T rest = static_cast<T>(a % b);
  return op == AluOp::mod && rest != T{0} && (rest < T{0}) != (b < T{0}) ? static_cast<T>(rest + b)
                                                                         : rest;
}

template <typename T>
T apply_integer(AluOp op, T a, T b) {
  const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
  switch (op) {
    case AluOp::bypass: return a;
    case AluOp::add: return static_cast<T>(ua + ub);
    case AluOp::subtract: return static_cast<T>(ua - ub);
    case AluOp::multiply: return static_cast<T>(ua * ub);
    case AluOp::maximum: return a > b ? a : b;
    case AluOp::minimum: return a < b ? a : b;
    case AluOp::abs_max: return magnitude(a) > magnitude(b) ? a : b;
    case AluOp::abs_min: return magnitude(a) < magnitude(b) ? a : b;
    case AluOp::equal: return a == b;
    case AluOp::not_equal: return a != b;
    case AluOp::less: return a < b;
    case AluOp::less_equal: return a <= b;
    case AluOp::greater: return a > b;
    case AluOp::greater_equal: return a >= b;
    case AluOp::logical_and: return a != T{0} && b != T{0};
    case AluOp::logical_or: return a != T{0} || b != T{0};
    case AluOp::logical_xor: return (a != T{0}) != (b != T{0});
    case AluOp::power: return wrapped_power(a, b);
    case AluOp::abs: return static_cast<T>(magnitude(a));
    case AluOp::square: return static_cast<T>(ua * ua);
    case AluOp::relu: return a > T{0} ? a : T{0};
    case AluOp::fmod:
    case AluOp::mod: return remainder(op, a, b);
    default:
      base::check(is_bitwise(op), "this operator has no integer form");
      return static_cast<T>(apply_bits(op, ua, ub));
  }
}

template <typename T>
void apply_integers(AluOp op, const T* a, const T* b, T* out, std::size_t n) {
  if (has_integer_vector_form(op)) return apply_integer_row(op, {a, 1}, {b, 1}, out, n);
  for (std::size_t i = 0; i < n; ++i) out[i] = apply_integer(op, a[i], b[i]);
}

bool is_pattern_operator(AluOp op) { return is_bitwise(op) || op == AluOp::bypass; }

}  // namespace

std::uint32_t apply_bits(AluOp op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case AluOp::bypass: return a;
    case AluOp::bitwise_and: return a & b;
    case AluOp::bitwise_or: return a | b;
    case AluOp::bitwise_xor: return a ^ b;
    case AluOp::invert: return ~a;
    case AluOp::left_shift: return b < 32 ? a << b : 0;
    case AluOp::right_shift: return b < 32 ? a >> b : 0;
    default: base::fail("this operator does not work on bit patterns");
  }
}

void apply_bits(AluOp op, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out,
                std::size_t n) {
  base::check(is_pattern_operator(op), "this operator does not work on bit patterns");
  apply_integer_row(op, {a, 1}, {b, 1}, out, n);
}

void apply_bits_scalar(AluOp op, const std::uint32_t* a, std::uint32_t b, bool reversed,
                       std::uint32_t* out, std::size_t n) {
  base::check(is_pattern_operator(op), "this operator does not work on bit patterns");
  const IntegerOperand<std::uint32_t> row{a, 1}, scalar{&b, 0};
  if (is_unary(op)) reversed = false;
  apply_integer_row(op, reversed ? scalar : row, reversed ? row : scalar, out, n);
}

std::uint32_t reduce_bits(AluOp op, const std::uint32_t* x, std::size_t n, std::uint32_t initial) {
  for (std::size_t i = 0; i < n; ++i) initial = apply_bits(op, initial, x[i]);
  return initial;
}

bool has_integer_form(AluOp op) {
  return op != AluOp::divide && op != AluOp::rsqrt && op != AluOp::reciprocal &&
         op != AluOp::average;
}

std::int32_t apply_int32(AluOp op, std::int32_t a, std::int32_t b) {
  return apply_integer(op, a, b);
}
std::uint32_t apply_uint32(AluOp op, std::uint32_t a, std::uint32_t b) {
  return apply_integer(op, a, b);
}

void apply_int32(AluOp op, const std::int32_t* a, const std::int32_t* b, std::int32_t* out,
                 std::size_t n) {
  apply_integers(op, a, b, out, n);
}

void apply_uint32(AluOp op, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out,
                  std::size_t n) {
  apply_integers(op, a, b, out, n);
}

}  // namespace trainyard::numerics
