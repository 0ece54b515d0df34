#include "compiler/lowering/canonical/value_bounds.h"

#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/folds.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;

constexpr int causes_max = 32;  // operations behind a value that are looked at

Bounds within(double most) { return {-most, most}; }
constexpr Bounds unknown{-std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::infinity()};

Bounds of_type(ElementType type) {
  if (type == ElementType::pred) return {0, 1};
  if (graph::is_integer(type)) {
    return graph::is_signed(type) ? within(std::ldexp(1.0, graph::bits(type) - 1))
                                  : Bounds{0, std::ldexp(1.0, graph::bits(type))};
  }
  return type == ElementType::f16 ? within(65504) : unknown;
}

Bounds of_literal(const graph::Literal& literal) {
  if (const auto number = one_number(literal))
    return std::isnan(*number) ? Bounds{} : Bounds{*number, *number};
  if (literal.type.element != ElementType::f32) return unknown;
  const std::vector<std::byte> content = literal.expanded();
  double most = 0;
  for (std::size_t at = 0; at < content.size(); at += sizeof(float)) {
    float element = 0;
    std::memcpy(&element, &content[at], sizeof element);
    if (!std::isnan(element)) most = std::max(most, std::abs(static_cast<double>(element)));
  }
  return within(most);
}

Bounds joined(const Bounds& a, const Bounds& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
Bounds smaller(const Bounds& a, const Bounds& b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}
Bounds larger(const Bounds& a, const Bounds& b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}
Bounds product(const Bounds& a, const Bounds& b) {
  const std::array all{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  if (std::ranges::any_of(all, [](double each) { return std::isnan(each); })) return unknown;
  return {std::ranges::min(all), std::ranges::max(all)};
}

}  // namespace

double folded_elements(const graph::Function& function, const Op& op) {
  if (op.kind == OpKind::reduce_window) {
    double count = 1;
    for (const std::int64_t size : op.integers("window_dimensions"))
      count *= static_cast<double>(size);
    return count;
  }
  const auto elements = [&](graph::ValueId value) {
    return static_cast<double>(std::max<std::int64_t>(1, function.type(value).elements()));
  };
  return elements(op.operands[0]) / elements(op.results[0]);
}

Bounds ValueBounds::of(graph::ValueId value) { return of(value, causes_max); }

Bounds ValueBounds::of(graph::ValueId value, int depth) {
  if (const auto found = known_.find(value); found != known_.end()) return found->second;
  const Bounds by_type = of_type(definitions_.type(value).element);
  const Op* const op = definitions_.of(value);
  if (op == nullptr || depth == 0) return by_type;
  const Bounds found = computed(*op, depth - 1);
  // Integers that may leave their type wrap around.
  const bool wraps = graph::is_integer(definitions_.type(value).element) &&
                     op->kind != OpKind::convert && op->kind != OpKind::constant &&
                     (found.low < by_type.low || found.high > by_type.high);
  if (wraps) return known_[value] = by_type;
  return known_[value] = {std::max(by_type.low, found.low), std::min(by_type.high, found.high)};
}

std::optional<bool> ValueBounds::decided(graph::ValueId comparison) {
  return decided(comparison, causes_max);
}

std::optional<bool> ValueBounds::decided(graph::ValueId comparison, int depth) {
  const Op* const op = definitions_.of(comparison, OpKind::compare);
  if (op == nullptr || depth == 0 || !graph::is_integer(definitions_.type(op->operands[0]).element))
    return std::nullopt;
  const std::string_view direction = op->text("comparison_direction");
  const bool is_turned = direction == "GT" || direction == "LE";  // a > b is b < a
  const Bounds a = of(op->operands[is_turned ? 1 : 0], depth - 1),
               b = of(op->operands[is_turned ? 0 : 1], depth - 1);
  const bool always = a.high < b.low, never = a.low >= b.high;
  if (direction == "EQ" || direction == "NE" || (!always && !never)) return std::nullopt;
  return always == (direction == "LT" || direction == "GT");
}

Bounds ValueBounds::computed(const Op& op, int depth) {
  const auto operand = [&](std::size_t i) { return of(op.operands[i], depth); };
  switch (op.kind) {
    case OpKind::constant: return of_literal(op.literal("value"));
    case OpKind::iota: {
      const auto& shape = definitions_.type(op.results[0]).shape;
      const auto dim = static_cast<std::size_t>(op.integer("iota_dimension"));
      return {0, static_cast<double>(shape.at(dim))};
    }
    case OpKind::convert:
    case OpKind::dynamic_slice:
    case OpKind::optimization_barrier: return operand(0);
    case OpKind::abs: return {0, operand(0).magnitude()};
    case OpKind::negate: return {-operand(0).high, -operand(0).low};
    case OpKind::concatenate: {
      Bounds all = operand(0);
      for (std::size_t i = 1; i < op.operands.size(); ++i) all = joined(all, operand(i));
      return all;
    }
    case OpKind::pad: return joined(operand(0), operand(1));
    case OpKind::select: {
      const std::optional<bool> is_so = decided(op.operands[0], depth);
      return is_so ? operand(*is_so ? 1 : 2) : joined(operand(1), operand(2));
    }
    case OpKind::maximum: return larger(operand(0), operand(1));
    case OpKind::minimum: return smaller(operand(0), operand(1));
    case OpKind::clamp: return smaller(larger(operand(1), operand(0)), operand(2));
    case OpKind::add: return {operand(0).low + operand(1).low, operand(0).high + operand(1).high};
    case OpKind::subtract:
      return {operand(0).low - operand(1).high, operand(0).high - operand(1).low};
    case OpKind::multiply: return product(operand(0), operand(1));
    case OpKind::divide: {
      const auto by = definitions_.number(op.operands[1]);
      return by && *by != 0 ? within(operand(0).magnitude() / std::abs(*by)) : unknown;
    }
    case OpKind::reduce:
    case OpKind::reduce_window: return folded(op, depth);
    case OpKind::remainder: return within(operand(1).magnitude());
    case OpKind::cosine:
    case OpKind::sine:
    case OpKind::tanh: return within(1);
    case OpKind::logistic: return {0, 1};
    default: break;
  }
  if (graph::is(op.kind, graph::Trait::arrange)) return operand(0);
  if (graph::is(op.kind, graph::Trait::rounding)) return {operand(0).low - 1, operand(0).high + 1};
  return unknown;
}

// Of one value; padded elements of windows are the first value again.
Bounds ValueBounds::folded(const Op& op, int depth) {
  const auto kinds = graph::simple_folds(op.regions[0]);
  const graph::Type& type = definitions_.type(op.operands[0]);
  if (!kinds || kinds->size() != 1 || !type.is_static() ||
      !definitions_.type(op.results[0]).is_static())
    return unknown;
  const Bounds each = of(op.operands[0], depth), first = of(op.operands[1], depth);
  switch (kinds->front()) {
    case OpKind::add: {
      // Rounded sums of floats may pass what their terms add up to.
      if (!graph::is_integer(type.element)) return unknown;
      const double count = folded_elements(function_, op);
      const Bounds all = joined(each, first);
      return {std::min(0.0, all.low) * (count + 1), std::max(0.0, all.high) * (count + 1)};
    }
    case OpKind::maximum: return larger(each, first);
    case OpKind::minimum: return smaller(each, first);
    default: return unknown;
  }
}

}  // namespace trainyard::compiler
