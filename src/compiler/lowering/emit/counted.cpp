#include "compiler/lowering/emit/counted.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::OpKind;

// Beyond these, sums and products of a few could overflow.
constexpr std::int64_t limit = std::int64_t{1} << 31;

bool fits(const Counted& value, ElementType type) {
  const std::int64_t low = value.low(), high = value.high();
  if (low < -limit || high > limit) return false;
  if (type == ElementType::pred) return low >= 0 && high <= 1;
  if (!graph::is_integer(type)) return false;
  const int bits = std::min(32, graph::bits(type));
  if (graph::is_signed(type))
    return low >= -(std::int64_t{1} << (bits - 1)) && high < (std::int64_t{1} << (bits - 1));
  return low >= 0 && high < (std::int64_t{1} << std::min(bits, 31));
}

// 1 or 0 where the comparison is the same for all counts.
std::optional<bool> compared(const Counted& a, const Counted& b, std::string_view direction) {
  const Counted difference = sum(a, scaled(b, -1));
  const std::int64_t low = difference.low(), high = difference.high();
  const auto decided = [](bool always, bool never) -> std::optional<bool> {
    if (always) return true;
    if (never) return false;
    return std::nullopt;
  };
  if (direction == "LT") return decided(high < 0, low >= 0);
  if (direction == "LE") return decided(high <= 0, low > 0);
  if (direction == "GT") return decided(low > 0, high <= 0);
  if (direction == "GE") return decided(low >= 0, high < 0);
  const bool is_same = low == 0 && high == 0, is_other = low > 0 || high < 0;
  if (direction == "EQ") return decided(is_same, is_other);
  return decided(is_other, is_same);
}

std::optional<Counted> greater(const Counted& a, const Counted& b) {
  const std::optional<bool> is_a = compared(a, b, "GE");
  if (!is_a) return std::nullopt;
  return *is_a ? a : b;
}
std::optional<Counted> lesser(const Counted& a, const Counted& b) {
  const std::optional<bool> is_a = compared(a, b, "LE");
  if (!is_a) return std::nullopt;
  return *is_a ? a : b;
}

std::optional<Counted> computed(const graph::Op& op, std::span<const Counted> of) {
  switch (op.kind) {
    case OpKind::add: return sum(of[0], of[1]);
    case OpKind::subtract: return sum(of[0], scaled(of[1], -1));
    case OpKind::negate: return scaled(of[0], -1);
    case OpKind::multiply:
      if (of[1].is_known()) return scaled(of[0], of[1].constant);
      if (of[0].is_known()) return scaled(of[1], of[0].constant);
      return std::nullopt;
    case OpKind::convert:
    case OpKind::reshape: return of[0];
    case OpKind::maximum: return greater(of[0], of[1]);
    case OpKind::minimum: return lesser(of[0], of[1]);
    case OpKind::clamp: {
      const std::optional<Counted> raised = greater(of[0], of[1]);
      return raised ? lesser(*raised, of[2]) : std::nullopt;
    }
    case OpKind::compare: {
      const auto is_so = compared(of[0], of[1], op.text("comparison_direction"));
      if (!is_so) return std::nullopt;
      return Counted{.constant = *is_so ? 1 : 0};
    }
    default: return std::nullopt;
  }
}

}  // namespace

std::int64_t Counted::low() const {
  std::int64_t value = constant;
  for (const Term& term : terms) value += std::min<std::int64_t>(0, term.scale * term.last);
  return value;
}

std::int64_t Counted::high() const {
  std::int64_t value = constant;
  for (const Term& term : terms) value += std::max<std::int64_t>(0, term.scale * term.last);
  return value;
}

Counted sum(const Counted& a, const Counted& b) {
  Counted result = a;
  result.constant += b.constant;
  for (const Counted::Term& term : b.terms) {
    const auto same = std::ranges::find(result.terms, term.counter, &Counted::Term::counter);
    if (same == result.terms.end()) {
      result.terms.push_back(term);
    } else {
      same->scale += term.scale;
    }
  }
  std::erase_if(result.terms, [](const Counted::Term& term) { return term.scale == 0; });
  return result;
}

Counted scaled(const Counted& value, std::int64_t by) {
  Counted result = value;
  result.constant *= by;
  for (Counted::Term& term : result.terms) term.scale *= by;
  if (by == 0) result.terms.clear();
  return result;
}

std::optional<Counted> counted(const graph::Op& op, std::span<const Counted> operands,
                               ElementType result) {
  std::optional<Counted> value = computed(op, operands);
  if (!value || !fits(*value, result)) return std::nullopt;
  return value;
}

}  // namespace trainyard::compiler
