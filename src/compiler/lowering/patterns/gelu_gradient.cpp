#include "compiler/lowering/patterns/gelu_gradient.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "compiler/lowering/tiles/gelu_slope.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::OpKind;
using graph::ValueId;

// number * values[0] * values[1] ...
struct Factors {
  double number = 1;
  double rounded = 0;  // how far off it may be, as a share: each format rounds its numbers
  std::vector<ValueId> values{};

  bool take(ValueId value) {
    const auto found = std::ranges::find(values, value);
    if (found == values.end()) return false;
    values.erase(found);
    return true;
  }
  [[nodiscard]] bool is_about(double wanted) const {
    return std::abs(number - wanted) <= rounded * std::abs(wanted);
  }
};

void multiply(const Definitions& d, ValueId value, Factors& all) {
  constexpr std::size_t most = 12;
  if (const auto number = d.number(value)) {
    const bool is_wide = graph::bits(d.type(value).element) >= 32;
    all.number *= *number;
    all.rounded += is_wide ? 1e-6 : 0x1p-8;
    return;
  }
  const Op* const op = d.of(value);
  const bool is_product =
      op != nullptr && (op->kind == OpKind::multiply || op->kind == OpKind::negate);
  if (!is_product || all.values.size() >= most) return all.values.push_back(value);
  if (op->kind == OpKind::negate) all.number = -all.number;
  for (const ValueId operand : op->operands) multiply(d, operand, all);
}

Factors factors_of(const Definitions& d, ValueId value) {
  Factors all;
  multiply(d, value, all);
  return all;
}

void add(const Definitions& d, ValueId value, std::vector<Factors>& terms) {
  constexpr std::size_t most = 4;
  const Op* const sum = d.of(value, OpKind::add);
  if (sum == nullptr || terms.size() >= most) return terms.push_back(factors_of(d, value));
  for (const ValueId operand : sum->operands) add(d, operand, terms);
}

// exp(-a^2) as the value of one factor, where that is one.
bool takes_bell(const Definitions& d, Factors& factors, ValueId a) {
  return std::ranges::any_of(factors.values, [&](ValueId value) {
    const Op* const power = d.of(value, OpKind::exponential);
    if (power == nullptr) return false;
    Factors exponent = factors_of(d, power->operands[0]), square = factors_of(d, a);
    const bool is_square = exponent.number < 0 && exponent.values.size() == 2 &&
                           square.values.size() == 1 && exponent.take(square.values[0]) &&
                           exponent.take(square.values[0]) && exponent.is_about(-0.5);
    return is_square && factors.take(value);
  });
}

// 1 + t or 1 - t.
bool is_beside_one(const Definitions& d, ValueId value, OpKind kind, ValueId t) {
  if (kind == OpKind::add) return d.beside(value, OpKind::add, 1) == t;
  const Op* const op = d.of(value, kind);
  return op != nullptr && d.is_number(op->operands[0], 1) && op->operands[1] == t;
}

const Op* tanh_beside_one(const Definitions& d, ValueId value) {
  const auto t = d.beside(value, OpKind::add, 1);
  return t ? d.of(*t, OpKind::tanh) : nullptr;
}

// x g (1 - t) / 2 (1 + t), written out as a sum
bool is_slope(const Definitions& d, ValueId value, ValueId x, ValueId g, ValueId t) {
  std::vector<Factors> terms;
  add(d, value, terms);
  if (terms.size() != 2) return false;
  if (terms[0].values.size() > terms[1].values.size()) std::swap(terms[0], terms[1]);
  if (!terms[1].take(t)) return false;
  return std::ranges::all_of(terms, [&](Factors& each) {
    return each.is_about(0.5) && each.take(x) && each.take(g) && each.values.size() == 1 &&
           is_beside_one(d, each.values[0], OpKind::subtract, t);
  });
}

}  // namespace

std::optional<ValueId> gelu_tanh_argument(const Definitions& d, const Op& tanh) {
  const auto inner = d.beside(tanh.operands[0], OpKind::multiply, gelu_factor);
  const Op* const sum = inner ? d.of(*inner, OpKind::add) : nullptr;
  if (sum == nullptr) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const ValueId x = sum->operands[side];
    Factors cube = factors_of(d, sum->operands[1 - side]);
    if (cube.is_about(gelu_curve) && std::ranges::count(cube.values, x) == 3 &&
        cube.values.size() == 3)
      return x;
  }
  return std::nullopt;
}

// g x / sqrt(2 pi) exp(-a^2) + g/2 erfc(a), where a = -x / sqrt(2)
std::optional<Scaled> gelu_gradient(const Definitions& d, const Op& root, const FindErfc& erfc_of) {
  if (root.kind != OpKind::add) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    Factors straight = factors_of(d, root.operands[side]);
    if (straight.values.size() != 2 || !straight.is_about(0.5)) continue;
    for (const std::size_t place : {0U, 1U}) {
      const auto wide = erfc_of(d.uncast(straight.values[place]));
      if (!wide) continue;
      const ValueId a = d.uncast(*wide), g = straight.values[1 - place];
      const Factors argument = factors_of(d, a);
      if (argument.values.size() != 1 || !argument.is_about(-std::sqrt(0.5))) continue;
      const ValueId x = argument.values[0];
      Factors bent = factors_of(d, root.operands[1 - side]);
      if (bent.is_about(gelu_factor / 2) && bent.take(g) && bent.take(x) &&
          takes_bell(d, bent, a) && bent.values.empty())
        return Scaled{g, x};
    }
  }
  return std::nullopt;
}

// g (1 + t) / 2 + c s + 3 k x^2 c s, where s = x g (1 - t) / 2 (1 + t) and u = c (x + k x^3)
std::optional<Scaled> gelu_tanh_gradient(const Definitions& d, const Op& root) {
  if (root.kind != OpKind::add) return std::nullopt;
  std::vector<Factors> terms;
  add(d, root.results[0], terms);
  if (terms.size() != 3) return std::nullopt;
  std::ranges::sort(terms, {}, [](const Factors& each) { return each.values.size(); });
  Factors &slope = terms[0], &straight = terms[1], &bent = terms[2];
  if (slope.values.size() != 1 || straight.values.size() != 2 || bent.values.size() != 3 ||
      !slope.is_about(gelu_factor) || !straight.is_about(0.5) ||
      !bent.is_about(3 * gelu_curve * gelu_factor) || !bent.take(slope.values[0]))
    return std::nullopt;
  for (const std::size_t place : {0U, 1U}) {
    const Op* const tanh = tanh_beside_one(d, straight.values[place]);
    const auto x = tanh != nullptr ? gelu_tanh_argument(d, *tanh) : std::nullopt;
    const ValueId g = straight.values[1 - place];
    if (x && bent.values == std::vector{*x, *x} &&
        is_slope(d, slope.values[0], *x, g, tanh->results[0]))
      return Scaled{g, *x};
  }
  return std::nullopt;
}

}  // namespace trainyard::compiler
