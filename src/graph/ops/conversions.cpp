// Between formats: convert, bitcast_convert, reduce_precision.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/ops/all.h"
#include "graph/ops/elementwise.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

void verify_bitcast(OpCheck& c) {
  const Type &from = c.operand(0), &to = c.result();
  if (!from.quantized.empty() || !to.quantized.empty()) return;
  const int a = bits(from.element), b = bits(to.element);
  std::vector<std::int64_t> shape = from.shape;
  bool has_parts = true;
  if (a > b) shape.push_back(a / b);
  if (a < b) {
    has_parts = !shape.empty() && fits(shape.back(), b / a);
    if (has_parts) shape.pop_back();
  }
  c.require(std::max(a, b) % std::min(a, b) == 0 && has_parts && shape_is(to, shape),
            "the last dimension holds the parts of a wider element");
}

void verify_convert(OpCheck& c) { all_of_one_shape(c); }

void verify_reduce_precision(OpCheck& c) {
  uniform<real_element>(c);
  c.require(c.integer("exponent_bits") >= 1, "exponent_bits is at least 1");
  c.require(c.integer("mantissa_bits") >= 0, "mantissa_bits is at least 0");
}

Value evaluate_convert(const Evaluation& e) {
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

Value evaluate_bitcast(const Evaluation& e) {
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

Value evaluate_reduce_precision(const Evaluation& e) {
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

constexpr auto conversions_records = std::to_array<OpRecord>({
    {.kind = OpKind::bitcast_convert,
     .name = "bitcast_convert",
     .operands = {1, 1},
     .traits = {Trait::choice, Trait::keeps_format},
     .verify = verify_bitcast,
     .evaluate = alone<evaluate_bitcast>},
    {.kind = OpKind::convert,
     .name = "convert",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::choice},
     .verify = verify_convert,
     .evaluate = alone<evaluate_convert>,
     .factors = elementwise_factors},
    {.kind = OpKind::reduce_precision,
     .name = "reduce_precision",
     .operands = {1, 1},
     .traits = {Trait::elementwise},
     .vhlo = {"exponent_bits mantissa_bits"},
     .verify = verify_reduce_precision,
     .evaluate = alone<evaluate_reduce_precision>,
     .factors = elementwise_factors},
    {.kind = OpKind::uniform_dequantize,
     .name = "uniform_dequantize",
     .operands = {1, 1},
     .verify = verify_convert},
    {.kind = OpKind::uniform_quantize,
     .name = "uniform_quantize",
     .operands = {1, 1},
     .verify = verify_convert},
});

}  // namespace

std::span<const OpRecord> conversions_ops() { return conversions_records; }

}  // namespace trainyard::graph
