// Between formats: convert, bitcast_convert, reduce_precision, complex numbers and their parts.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "graph/evaluate/evaluator.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

Value convert(const Evaluation& e) {
  return with_number_of(e.operand(0).type.element, [&](auto zero) {
    using T = decltype(zero);
    return tensor_of(e.result(), numbers<T>(e.operand(0)));
  });
}

// The bits of all elements, the lowest first; an element takes as many as its format has.
std::vector<bool> bits_of(const Content& bytes, ElementType type) {
  const auto size = static_cast<std::size_t>(size_in_bytes(type));
  const auto width = static_cast<std::size_t>(bits(type));
  std::vector<bool> all;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    for (std::size_t bit = 0; bit < width; ++bit) {
      all.push_back(((bytes[at + bit / 8] >> (bit % 8)) & std::byte{1}) != std::byte{0});
    }
  }
  return all;
}

Content bytes_of(const std::vector<bool>& all, ElementType type) {
  const auto size = static_cast<std::size_t>(size_in_bytes(type));
  const auto width = static_cast<std::size_t>(bits(type));
  Content bytes(all.size() / width * size);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t bit = i % width;
    if (all[i]) bytes[i / width * size + bit / 8] |= std::byte{1} << (bit % 8);
  }
  return bytes;
}

Value bitcast(const Evaluation& e) {
  const ElementType from = e.operand(0).type.element, to = e.result().element;
  const std::vector<bool> all = bits_of(*e.operand(0).bytes, from);
  e.require(static_cast<std::int64_t>(all.size()) == e.result().elements() * bits(to),
            "the result has as many bits as the operand");
  Content bytes = bytes_of(all, to);
  normalise_small_integers(to, bytes);
  return make_value(e.result(), std::move(bytes));
}

// Rounds to fewer exponent and mantissa bits, as XLA does: numbers below the least normal one
// become zero, those beyond the greatest infinity.
double reduced(double value, std::int64_t exponent_bits, std::int64_t mantissa_bits) {
  if (std::isnan(value) && mantissa_bits == 0) {  // there is no NaN without a mantissa
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  if (!std::isfinite(value) || value == 0) return value;
  const auto digits = static_cast<int>(mantissa_bits);
  const std::int64_t bias = (std::int64_t{1} << (exponent_bits - 1)) - 1;
  const int exponent = std::ilogb(value);
  const double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, digits - exponent)), exponent - digits);
  const int reached = std::ilogb(rounded);
  if (reached > bias) return std::copysign(std::numeric_limits<double>::infinity(), value);
  if (reached <= -bias) return std::copysign(0.0, value);
  return rounded;
}

Value reduce_precision(const Evaluation& e) {
  const std::int64_t exponent = e.op.integer("exponent_bits"),
                     digits = e.op.integer("mantissa_bits");
  e.require(exponent >= 1 && exponent <= 11 && digits >= 0 && digits <= 52,
            "1 to 11 exponent bits and 0 to 52 mantissa bits");
  const bool same_range = e.result().element != ElementType::f16
                              ? exponent >= (e.result().element == ElementType::f64 ? 11 : 8)
                              : exponent >= 5;
  const bool same_digits = digits >= (e.result().element == ElementType::f64   ? 52
                                      : e.result().element == ElementType::f32 ? 23
                                      : e.result().element == ElementType::f16 ? 10
                                                                               : 7);
  if (same_range && same_digits) return e.operand(0);
  std::vector<double> all = numbers<double>(e.operand(0));
  for (double& value : all) value = reduced(value, exponent, digits);
  return tensor_of(e.result(), all);
}

template <typename Part>
Value join(const Evaluation& e) {
  const std::vector<Part> real = numbers<Part>(e.operand(0)),
                          imaginary = numbers<Part>(e.operand(1));
  std::vector<std::complex<Part>> all;
  for (std::size_t i = 0; i < real.size(); ++i) all.emplace_back(real[i], imaginary[i]);
  return tensor_of(e.result(), all);
}

template <typename Part>
Value part(const Evaluation& e) {
  std::vector<Part> all;
  for (const auto& value : numbers<std::complex<Part>>(e.operand(0))) {
    all.push_back(e.op.kind == OpKind::real ? value.real() : value.imag());
  }
  return tensor_of(e.result(), all);
}

}  // namespace

Results evaluate_conversion(const Evaluation& e) {
  using V = std::vector<Value>;
  switch (e.op.kind) {
    case OpKind::convert: return V{convert(e)};
    case OpKind::bitcast_convert: return V{bitcast(e)};
    case OpKind::reduce_precision: return V{reduce_precision(e)};
    case OpKind::complex:
      return V{e.result().element == ElementType::c64 ? join<float>(e) : join<double>(e)};
    case OpKind::real:
    case OpKind::imag: {
      const ElementType type = e.operand(0).type.element;
      if (type == ElementType::c64) return V{part<float>(e)};
      if (type == ElementType::c128) return V{part<double>(e)};
      if (e.op.kind == OpKind::real) return V{e.operand(0)};
      return V{make_value(e.result(), Content(e.operand(0).bytes->size()))};
    }
    default: return std::nullopt;
  }
}

}  // namespace trainyard::graph
