#include "compiler/lowering/patterns/scattered_infinities.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/builder.h"
#include "graph/folds.h"
#include "graph/reads.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::ValueId;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array never_finite{infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
using Held = std::array<bool, never_finite.size()>;

bool is_scattered_sum(const Op& op) {
  return op.kind == OpKind::scatter && op.operands.size() == 3 &&
         graph::simple_folds(op.regions[0]) == std::vector{OpKind::add};
}

class ScatteredInfinities {
 public:
  explicit ScatteredInfinities(Function& function)
      : function_(function), before_(function), definitions_(before_) {
    graph::replace_each(function.body,
                        [&](Op& op, std::vector<Op>& ops) { return counted(op, ops); });
  }

 private:
  // Which of them constants bring into a value by way of moves, casts and choices.
  void look(ValueId value, int depth, Held& held) const {
    const Op* const op = definitions_.of(value);
    if (op == nullptr || depth == 0) return;
    if (op->kind == OpKind::constant) return look(op->literal("value"), held);
    if (op->kind != OpKind::select && op->kind != OpKind::convert && !moves_only(op->kind)) return;
    for (const ValueId operand : op->operands)
      if (graph::is_float(function_.type(operand).element)) look(operand, depth - 1, held);
  }
  static void look(const graph::Literal& literal, Held& held) {
    const std::optional<double> number = one_number(literal);
    for (std::size_t i = 0; i < held.size(); ++i)
      held[i] |= number &&
                 (std::isnan(*number) ? std::isnan(never_finite[i]) : *number == never_finite[i]);
  }

  bool counted(const Op& op, std::vector<Op>& ops) {
    constexpr int causes_max = 16;
    if (!is_scattered_sum(op) || !graph::is_float(function_.type(op.results[0]).element))
      return false;
    Held held{};
    look(op.operands[2], causes_max, held);
    if (held == Held{}) return false;
    graph::Builder write(function_, ops, op.location);
    std::vector<std::pair<double, ValueId>> marks;  // of each, 1 where an update is it
    ValueId finite = op.operands[2];
    const graph::Type updates = function_.type(finite);
    const ValueId none = write.number(updates, 0);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (!held[i]) continue;
      const ValueId is_it = is(write, op.operands[2], never_finite[i]);
      const ValueId one = write.number(updates, 1);
      marks.emplace_back(never_finite[i], write.emit(OpKind::select, {is_it, one, none}, updates));
      finite = write.emit(OpKind::select, {is_it, none, finite}, updates);
    }
    const graph::Type table = function_.type(op.results[0]);
    const ValueId zeros = write.number(table, 0);
    ValueId sum = scattered(write, op, op.operands[0], finite);
    for (const auto& [number, mark] : marks) {
      const ValueId is_there = write.compared(scattered(write, op, zeros, mark), "GT", zeros);
      const ValueId with = write.emit(OpKind::add, {sum, write.number(table, number)}, table);
      sum = write.emit(OpKind::select, {is_there, with, sum}, table);
    }
    ops.back().results = op.results;
    return true;
  }
  static ValueId is(graph::Builder& write, ValueId value, double number) {
    if (std::isnan(number)) return write.compared(value, "NE", value);
    return write.compared(value, "EQ", write.number(write.type(value), number));
  }
  static ValueId scattered(graph::Builder& write, const Op& op, ValueId table, ValueId updates) {
    const graph::Type type = write.type(table);
    graph::Region add = write.combining(OpKind::add, type.element);
    return write.emit(OpKind::scatter, {table, op.operands[1], updates}, type, op.attributes,
                      {std::move(add)});
  }

  Function& function_;
  const Function before_;  // as it was: what the definitions point into
  Definitions definitions_;
};

}  // namespace

void count_scattered_infinities(graph::Module& module) {
  for (Function& function : module.functions)
    if (graph::has_op(function.body, is_scattered_sum)) ScatteredInfinities{function};
}

}  // namespace trainyard::compiler
