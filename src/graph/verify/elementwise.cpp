// Operations on each element: shapes are equal, and elements of a kind that the operation knows.
#include <algorithm>
#include <array>

#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

using Knows = bool (*)(ElementType);
bool any(ElementType) { return true; }
bool number(ElementType t) { return t != ElementType::pred; }
bool real_or_complex(ElementType t) { return is_float(t) || is_complex(t); }
bool real(ElementType t) { return is_float(t); }
bool integer(ElementType t) { return is_integer(t); }
bool bitwise(ElementType t) { return is_integer(t) || t == ElementType::pred; }

bool knows(Knows known, const Type& type) { return !type.quantized.empty() || known(type.element); }

bool all_of_one_shape(OpCheck& c) {
  const auto same = [&](ValueId value) { return same_shape(c.type(value), c.result()); };
  return c.require(std::ranges::all_of(c.op.operands, same), "operands and result have one shape");
}

template <Knows known>
void uniform(OpCheck& c) {
  all_of_one_shape(c);
  const auto same = [&](ValueId value) { return same_element(c.type(value), c.result()); };
  c.require(std::ranges::all_of(c.op.operands, same), "operands and result have one element type");
  c.require(knows(known, c.operand(0)), "it is defined on elements of that type");
}

void absolute(OpCheck& c) {
  all_of_one_shape(c);
  c.require(knows(number, c.operand(0)) &&
                (is_complex(c.operand(0).element) || same_element(c.operand(0), c.result())),
            "the result has the element type of the operand, of complex numbers their parts'");
}

void is_finite(OpCheck& c) {
  all_of_one_shape(c);
  c.require(knows(real_or_complex, c.operand(0)) && c.result().element == ElementType::pred,
            "it takes floating-point numbers and gives i1");
}

void compare(OpCheck& c) {
  all_of_one_shape(c);
  constexpr std::array<std::string_view, 6> directions{"EQ", "NE", "GE", "GT", "LE", "LT"};
  constexpr std::array<std::string_view, 5> types{"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED",
                                                  "UNSIGNED"};
  c.one_of("comparison_direction", directions, false);
  c.one_of("compare_type", types, true);
  c.require(same_element(c.operand(0), c.operand(1)), "operands have one element type");
  c.require(c.result().element == ElementType::pred, "the result is i1");
}

void convert(OpCheck& c) { all_of_one_shape(c); }

void select(OpCheck& c) {
  c.require(c.operand(0).element == ElementType::pred &&
                (is_scalar(c.operand(0)) || same_shape(c.operand(0), c.result())),
            "the predicate is i1, one or as many as the result");
  c.require(same_type(c.operand(1), c.result()) && same_type(c.operand(2), c.result()),
            "both choices have the type of the result");
}

void clamp(OpCheck& c) {
  for (const std::size_t bound : {0U, 2U}) {
    c.require((is_scalar(c.operand(bound)) || same_shape(c.operand(bound), c.result())) &&
                  same_element(c.operand(bound), c.result()),
              "a bound is one element, or as many as the result, of its type");
  }
  c.require(same_type(c.operand(1), c.result()), "the operand has the type of the result");
}

bool is_complex_of(const Type& whole, const Type& part) {
  return (whole.element == ElementType::c64 && part.element == ElementType::f32) ||
         (whole.element == ElementType::c128 && part.element == ElementType::f64);
}

void complex(OpCheck& c) {
  all_of_one_shape(c);
  c.require(is_complex_of(c.result(), c.operand(0)) && is_complex_of(c.result(), c.operand(1)),
            "parts of f32 make complex<f32>, of f64 complex<f64>");
}

void part(OpCheck& c) {
  all_of_one_shape(c);
  c.require(is_complex_of(c.operand(0), c.result()) ||
                (is_float(c.operand(0).element) && same_element(c.operand(0), c.result())),
            "the result has the element type of the parts");
}

void reduce_precision(OpCheck& c) {
  uniform<real>(c);
  c.require(c.integer("exponent_bits") >= 1, "exponent_bits is at least 1");
  c.require(c.integer("mantissa_bits") >= 0, "mantissa_bits is at least 0");
}

constexpr Form unary(OpKind kind, Rule rule) { return {kind, 1, 1, 1, 1, 0, 0, rule}; }
constexpr Form binary(OpKind kind, Rule rule) { return {kind, 2, 2, 1, 1, 0, 0, rule}; }
constexpr Form ternary(OpKind kind, Rule rule) { return {kind, 3, 3, 1, 1, 0, 0, rule}; }

constexpr auto elementwise_table = std::to_array<Form>({
    unary(OpKind::abs, absolute),
    binary(OpKind::add, uniform<any>),
    binary(OpKind::and_, uniform<bitwise>),
    binary(OpKind::atan2, uniform<real_or_complex>),
    unary(OpKind::cbrt, uniform<real_or_complex>),
    unary(OpKind::ceil, uniform<real>),
    ternary(OpKind::clamp, clamp),
    binary(OpKind::compare, compare),
    binary(OpKind::complex, complex),
    unary(OpKind::convert, convert),
    unary(OpKind::cosine, uniform<real_or_complex>),
    unary(OpKind::count_leading_zeros, uniform<integer>),
    binary(OpKind::divide, uniform<number>),
    unary(OpKind::exponential, uniform<real_or_complex>),
    unary(OpKind::exponential_minus_one, uniform<real_or_complex>),
    unary(OpKind::floor, uniform<real>),
    unary(OpKind::imag, part),
    unary(OpKind::is_finite, is_finite),
    unary(OpKind::log, uniform<real_or_complex>),
    unary(OpKind::log_plus_one, uniform<real_or_complex>),
    unary(OpKind::logistic, uniform<real_or_complex>),
    binary(OpKind::maximum, uniform<any>),
    binary(OpKind::minimum, uniform<any>),
    binary(OpKind::multiply, uniform<any>),
    unary(OpKind::negate, uniform<number>),
    unary(OpKind::not_, uniform<bitwise>),
    binary(OpKind::or_, uniform<bitwise>),
    unary(OpKind::popcnt, uniform<integer>),
    binary(OpKind::power, uniform<number>),
    unary(OpKind::real, part),
    unary(OpKind::reduce_precision, reduce_precision),
    binary(OpKind::remainder, uniform<number>),
    unary(OpKind::round_nearest_afz, uniform<real>),
    unary(OpKind::round_nearest_even, uniform<real>),
    unary(OpKind::rsqrt, uniform<real_or_complex>),
    ternary(OpKind::select, select),
    binary(OpKind::shift_left, uniform<integer>),
    binary(OpKind::shift_right_arithmetic, uniform<integer>),
    binary(OpKind::shift_right_logical, uniform<integer>),
    unary(OpKind::sign, uniform<number>),
    unary(OpKind::sine, uniform<real_or_complex>),
    unary(OpKind::sqrt, uniform<real_or_complex>),
    binary(OpKind::subtract, uniform<number>),
    unary(OpKind::tan, uniform<real_or_complex>),
    unary(OpKind::tanh, uniform<real_or_complex>),
    unary(OpKind::uniform_dequantize, convert),
    unary(OpKind::uniform_quantize, convert),
    binary(OpKind::xor_, uniform<bitwise>),
});

}  // namespace

std::span<const Form> elementwise_forms() { return elementwise_table; }

}  // namespace trainyard::graph
