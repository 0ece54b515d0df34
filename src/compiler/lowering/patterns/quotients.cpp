#include "compiler/lowering/patterns/quotients.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/builder.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Division = graph::Precision::Division;

// Results are elements of the operands, signs and formats apart.
bool hands_on(OpKind kind) {
  return graph::is(kind, graph::Trait::move) || graph::is(kind, graph::Trait::choice) ||
         kind == OpKind::optimization_barrier;
}
// A last bit of an operand can make a whole number of a difference.
bool steps(OpKind kind) { return graph::is(kind, graph::Trait::step); }
// Results that are whole numbers by chance alone, and so are quotients by them.
bool rounds(OpKind kind) { return graph::is(kind, graph::Trait::transcendental); }

// The values of a function that reach certain operations, moved and chosen on the way.
class ReachingValues {
 public:
  template <typename Ends>
  ReachingValues(const graph::Function& function, Ends ends) {
    search(function.body, ends);
  }
  [[nodiscard]] bool contains(ValueId value) const { return values_.contains(value); }

 private:
  // From the last operation to the first, so that what reads a value is seen before it.
  template <typename Ends>
  void search(const Region& region, Ends ends) {
    for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
      for (const Region& nested : op->regions) search(nested, ends);
      const bool moves = hands_on(op->kind) &&
                         std::ranges::any_of(op->results, [&](ValueId v) { return contains(v); });
      if (moves || ends(*op)) values_.insert(op->operands.begin(), op->operands.end());
    }
  }

  std::set<ValueId> values_;
};

// What a quotient is divided by.
struct Divisor {
  std::optional<double> number{};  // on every element
  ValueId value = 0;               // or a value, repeated by these attributes of a broadcast
  std::optional<graph::Dictionary> spread{};
};

// Reciprocals of smaller numbers may be infinite; times `scale_up` they are not.
constexpr double small = 0x1p-100, scale_up = 0x1p64;

// The quotients of a function to correct, by their results.
class Corrections {
  static constexpr int depth_max = 6;  // operations behind an operand that are looked at

 public:
  Corrections(const graph::Function& function, Division division)
      : function_(function),
        division_(division),
        definitions_(function),
        stepping_(function, [&](const Op& op) { return is_step(op); }),
        returned_(function, [](const Op& op) { return op.kind == OpKind::return_; }) {
    search(function.body);
  }
  [[nodiscard]] const Divisor* of(const Op& op) const {
    const auto found = op.results.empty() ? all_.end() : all_.find(op.results[0]);
    return found == all_.end() ? nullptr : &found->second;
  }

 private:
  void search(const Region& region) {
    for (const Op& op : region.ops) {
      for (const Region& nested : op.regions) search(nested);
      if (op.kind != OpKind::divide || !is_corrected(op)) continue;
      if (const auto divisor = divisor_of(op)) all_.emplace(op.results[0], *divisor);
    }
  }
  [[nodiscard]] bool is_corrected(const Op& op) const {
    const Type& type = function_.type(op.results[0]);
    const ValueId dividend = op.operands[0];
    if (!type.is_static() || !type.quantized.empty()) return false;
    if (type.element != ElementType::f32 && type.element != ElementType::bf16) return false;
    if (definitions_.is_number(dividend, 1) || definitions_.is_number(dividend, -1)) return false;
    const ValueId result = op.results[0];
    return division_ == Division::exact || stepping_.contains(result) ||
           (returned_.contains(result) && !is_rounded(dividend, depth_max) &&
            !is_rounded(op.operands[1], depth_max));
  }
  [[nodiscard]] bool is_step(const Op& op) const {
    return steps(op.kind) ||
           (op.kind == OpKind::convert && !graph::is_float(function_.type(op.results[0]).element));
  }
  // Whether it is computed by a function that rounds, as norms and shares of exponentials are.
  [[nodiscard]] bool is_rounded(ValueId value, int depth) const {
    const Op* const op = definitions_.of(value);
    if (op == nullptr || depth == 0) return false;
    return rounds(op->kind) || std::ranges::any_of(op->operands, [&](ValueId operand) {
             return is_rounded(operand, depth - 1);
           });
  }
  // Nothing where the reciprocal of a number gives the quotient already.
  [[nodiscard]] std::optional<Divisor> divisor_of(const Op& op) const {
    const ValueId value = op.operands[1];
    if (const auto number = definitions_.number(value); number && std::abs(*number) >= small) {
      int exponent = 0;
      const bool is_exact = std::abs(std::frexp(*number, &exponent)) == 0.5;
      const bool is_wide = function_.type(value).element == ElementType::f32;
      if (is_exact || !is_wide || !std::isfinite(*number)) return std::nullopt;
      return Divisor{.number = number};
    }
    const Op* const spread = definitions_.of(value, OpKind::broadcast_in_dim);
    if (spread == nullptr) return Divisor{.value = value};
    return Divisor{.value = spread->operands[0], .spread = spread->attributes};
  }

  const graph::Function& function_;
  Division division_;
  Definitions definitions_;
  ReachingValues stepping_, returned_;
  std::map<ValueId, Divisor> all_;
};

// Writes one correction.
class Correction {
 public:
  Correction(graph::Function& function, std::vector<Op>& ops, const Op& op)
      : write_(function, ops, op.location),
        ops_(ops),
        op_(op),
        real_{.element = ElementType::f32, .shape = write_.type(op.results[0]).shape} {}

  void write(const Divisor& divisor) {
    dividend_ = widened(op_.operands[0]);
    if (divisor.number) {
      divisor_ = write_.number(real_, *divisor.number);
      inverse_ = write_.number(real_, static_cast<float>(1 / *divisor.number));
    } else {
      scale(divisor);
    }
    ValueId quotient = apply(OpKind::multiply, dividend_, inverse_);
    const ElementType element = write_.type(op_.results[0]).element;
    quotient = element == ElementType::f32 ? nearer(quotient) : write_.convert(quotient, element);
    ops_.back().results = op_.results;
  }

 private:
  ValueId apply(OpKind kind, ValueId a, ValueId b) {
    return write_.emit(kind, {a, b}, Type(write_.type(a)));
  }
  ValueId widened(ValueId value) {
    return write_.type(value).element == ElementType::f32 ? value
                                                          : write_.convert(value, ElementType::f32);
  }

  // Both by a power of two with which a reciprocal is finite.
  void scale(const Divisor& divisor) {
    const auto spread = [&](ValueId value) {
      return divisor.spread ? write_.emit(OpKind::broadcast_in_dim, {value}, real_, *divisor.spread)
                            : value;
    };
    const ValueId given = widened(divisor.value);
    const Type type = write_.type(given);
    const ValueId size = write_.emit(OpKind::abs, {given}, Type(type));
    const ValueId is_small = write_.compared(size, "LT", write_.number(type, small));
    const ValueId scale =
        write_.emit(OpKind::select,
                    {is_small, write_.number(type, scale_up), write_.number(type, 1)}, Type(type));
    const ValueId scaled = apply(OpKind::multiply, given, scale);
    dividend_ = apply(OpKind::multiply, dividend_, spread(scale));
    divisor_ = spread(scaled);
    inverse_ = spread(apply(OpKind::divide, write_.number(type, 1), scaled));
  }

  // Where q b is not a, q is off by what is left of a, divided by b. What is left is rounded: where
  // an exact quotient is one unit off, that gives 2/3 to 2 units, of which three quarters round to
  // one. What is no small part of q (an infinity, a NaN, anything beside a zero) corrects nothing,
  // and adding minus zero leaves zeros their sign.
  ValueId nearer(ValueId quotient) {
    constexpr double share = 0.75 * (1 + 0x1p-10);
    const ValueId back = apply(OpKind::multiply, quotient, divisor_);
    const ValueId left = apply(OpKind::subtract, dividend_, back);
    const ValueId part = apply(OpKind::multiply, left, write_.number(real_, share));
    const ValueId more = apply(OpKind::multiply, part, inverse_);
    const ValueId is_part = write_.compared(write_.emit(OpKind::abs, {more}, Type(real_)), "LT",
                                            write_.emit(OpKind::abs, {quotient}, Type(real_)));
    const ValueId correction =
        write_.emit(OpKind::select, {is_part, more, write_.number(real_, -0.0)}, Type(real_));
    return apply(OpKind::add, quotient, correction);
  }

  graph::Builder write_;
  std::vector<Op>& ops_;
  const Op& op_;
  Type real_;
  ValueId dividend_ = 0, divisor_ = 0, inverse_ = 0;
};

void correct(graph::Function& function, const Corrections& corrections) {
  graph::replace_each(function.body, [&](Op& op, std::vector<Op>& ops) {
    const Divisor* const divisor = corrections.of(op);
    if (divisor != nullptr) Correction(function, ops, op).write(*divisor);
    return divisor != nullptr;
  });
}

}  // namespace

void correct_quotients(graph::Module& module, Division division) {
  if (division == Division::fast) return;
  for (graph::Function& function : module.functions)
    correct(function, Corrections(function, division));
}

}  // namespace trainyard::compiler
