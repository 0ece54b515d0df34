#include "compiler/lowering/canonical/known.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/literal.h"
#include "compiler/lowering/tiles/reductions.h"
#include "graph/evaluate.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Literal;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::ValueId;

// Of one number each it makes one number.
bool is_foldable(OpKind kind) {
  return graph::is(kind, graph::Trait::elementwise) || graph::is(kind, graph::Trait::arrange);
}

Literal scalar(const Literal& splat) {
  return {.type = {.element = splat.type.element}, .content = splat.content};
}

class Folder {
 public:
  explicit Folder(Function& function) : function_(function) {}

  void run(Region& region) {
    std::erase_if(region.ops, [&](Op& op) {
      for (ValueId& operand : op.operands) operand = renamed(operand);
      if (op.kind == OpKind::reduce) return shorten(op), false;
      for (Region& nested : op.regions) run(nested);
      if (op.kind == OpKind::constant) return note(op), false;
      return fold(op);
    });
  }
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  [[nodiscard]] ValueId renamed(ValueId value) const {
    const auto found = same_.find(value);
    return found == same_.end() ? value : found->second;
  }
  [[nodiscard]] const Literal* known(ValueId value) const {
    const auto found = known_.find(value);
    return found == known_.end() ? nullptr : &found->second;
  }

  void note(const Op& op) {
    const Literal& literal = op.literal("value");
    if (literal.splat || literal.type.shape.empty()) known_[op.results[0]] = scalar(literal);
  }

  // True where the operation is gone.
  bool fold(Op& op) {
    if (op.results.size() != 1 || !is_foldable(op.kind)) return false;
    const Literal* const chosen = op.kind == OpKind::select ? known(op.operands.front()) : nullptr;
    if (chosen != nullptr) {
      const bool first = chosen->content.front() != std::byte{0};
      same_[op.results[0]] = op.operands[first ? 1 : 2];
      return changed_ = true;
    }
    const bool all_known = std::ranges::all_of(
        op.operands, [&](ValueId operand) { return known(operand) != nullptr; });
    const graph::Type& type = function_.type(op.results[0]);
    if (!all_known || op.operands.empty() || !type.is_static()) return false;
    const bool only_repeats = graph::is(op.kind, graph::Trait::arrange);
    const Literal value = only_repeats ? *known(op.operands[0]) : evaluated(op);
    known_[op.results[0]] = value;
    if (only_repeats) return false;
    op = {.kind = OpKind::constant,
          .results = op.results,
          .attributes = {{"value", {Literal{type, value.content, true}}}},
          .location = op.location};
    if (type.shape.empty()) std::get<Literal>(op.attributes[0].value.value).splat = false;
    changed_ = true;
    return false;
  }

  [[nodiscard]] Literal evaluated(const Op& op) const {
    Function main{.name = "main"};
    Op alone = op;
    alone.location = 0;
    for (ValueId& operand : alone.operands) {
      const Literal& literal = *known(operand);
      operand = main.add_value(literal.type);
      main.body.ops.push_back(
          {.kind = OpKind::constant, .results = {operand}, .attributes = {{"value", {literal}}}});
    }
    alone.results = {main.add_value({.element = function_.type(op.results[0]).element})};
    main.body.ops.push_back(alone);
    main.body.ops.push_back({.kind = OpKind::return_, .operands = alone.results});
    graph::Module module;
    module.functions.push_back(std::move(main));
    return graph::evaluate(module, {}).front();
  }

  // A reduction along dimensions of one element changes the shape alone.
  void shorten(Op& op) {
    if (op.results.size() != 1) return;
    const graph::Type &from = function_.type(op.operands[0]), &to = function_.type(op.results[0]);
    const Literal* const initial = known(op.operands[1]);
    const auto how = reduction_of(op.regions.at(0), to.element);
    if (initial == nullptr || !how || !from.is_static() || from.elements() != to.elements()) return;
    const std::optional<double> number = one_number(*initial);
    if (!number || number != identity_of(*how)) return;
    op = {.kind = OpKind::reshape,
          .operands = {op.operands[0]},
          .results = op.results,
          .location = op.location};
    changed_ = true;
  }

  Function& function_;
  std::map<ValueId, Literal> known_;  // scalars
  std::map<ValueId, ValueId> same_;
  bool changed_ = false;
};

}  // namespace

std::optional<graph::Module> with_known_values(const graph::Module& module) {
  std::optional<graph::Module> result = module;
  bool changed = false;
  for (Function& function : result->functions) {
    Folder folder(function);
    folder.run(function.body);
    changed |= folder.changed();
  }
  return changed ? std::move(result) : std::nullopt;
}

}  // namespace trainyard::compiler
