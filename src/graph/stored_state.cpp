// Memory holds an optimiser's state in the format of its class: main takes and gives it as it is
// typed, and "trainyard.held" composites stand for what memory holds.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "graph/optimizer_state.h"
#include "graph/precision.h"
#include "graph/precision_passes.h"
#include "graph/reads.h"

namespace trainyard::graph {

namespace {

// The class's format, by the annotation if there is one; nothing where it has no fewer bits.
std::optional<ElementType> format_of(const Module& module, const OptimizerState& state,
                                     const ClassFormats& formats) {
  const ClassFormats own = state.annotation == nullptr
                               ? formats
                               : read_class_formats(*state.annotation, module.name, formats);
  const auto& format = own[TensorClass::optimizer_state];
  if (!format) return std::nullopt;
  const Function& main = module.entry();
  const Type& type = main.type(main.body.arguments.at(state.argument));
  return is_narrower(format->element, type.element) ? std::optional(format->element) : std::nullopt;
}

class Holder {
 public:
  Holder(Module& module, Function& main) : module_(module), main_(main) {}

  void hold(const OptimizerState& state, ElementType format) {
    ValueId& argument = main_.body.arguments.at(state.argument);
    const Type typed = main_.type(argument);
    Type narrow = typed;
    narrow.element = format;
    const ValueId given = main_.add_value(typed), held = main_.add_value(narrow);
    before_.push_back(composite(given, held));
    widened_.push_back({.kind = OpKind::convert, .operands = {held}, .results = {argument}});
    argument = given;
    ValueId& result = main_.body.ops.back().operands.at(state.result);
    const ValueId stored = main_.add_value(narrow);
    rounded_[result] = stored;
    result = main_.add_value(typed);
    behind_.push_back(composite(stored, result));
  }

  void finish() {
    std::vector<Op> ops = std::move(before_);
    std::ranges::move(widened_, std::back_inserter(ops));
    for (Op& op : main_.body.ops) {
      if (op.kind == OpKind::return_) std::ranges::move(behind_, std::back_inserter(ops));
      std::vector<Op> rounded;
      for (ValueId& value : op.results) round(value, op.location, rounded);
      ops.push_back(std::move(op));
      std::ranges::move(rounded, std::back_inserter(ops));
    }
    main_.body.ops = std::move(ops);
    std::ranges::move(made_, std::back_inserter(module_.functions));
  }

 private:
  // What follows reads the value as memory holds it.
  void round(ValueId& made, LocationId location, std::vector<Op>& ops) {
    const auto rounded = rounded_.find(made);
    if (rounded == rounded_.end()) return;
    const ValueId read = made, stored = rounded->second;
    made = main_.add_value(Type(main_.type(read)));
    for (const auto& [from, to] : {std::pair{made, stored}, std::pair{stored, read}})
      ops.push_back(
          {.kind = OpKind::convert, .operands = {from}, .results = {to}, .location = location});
  }

  Op composite(ValueId from, ValueId to) {
    Function body{.name = fmt::format("{}.{}", held_name, made_.size()), .is_public = false};
    const ValueId given = body.add_value(main_.type(from)), made = body.add_value(main_.type(to));
    body.body.arguments = {given};
    body.body.ops.push_back({.kind = OpKind::convert, .operands = {given}, .results = {made}});
    body.body.ops.push_back({.kind = OpKind::return_, .operands = {made}});
    Op op{
        .kind = OpKind::composite,
        .operands = {from},
        .results = {to},
        .attributes = {{"decomposition", {Symbol{body.name}}}, {"name", {std::string(held_name)}}}};
    made_.push_back(std::move(body));
    return op;
  }

  Module& module_;
  Function& main_;
  std::vector<Op> before_, widened_, behind_;  // the other operations stand before the last
  std::map<ValueId, ValueId> rounded_;         // right behind what makes it
  std::vector<Function> made_;
};

}  // namespace

ClassUse store_optimizer_state(Module& module, const ClassFormats& formats) {
  const auto& format = formats[TensorClass::optimizer_state];
  ClassUse use{.tensor_class = TensorClass::optimizer_state,
               .format = format.value_or(OperandFormat{})};
  const auto main = std::ranges::find(module.functions, "main", &Function::name);
  if (main == module.functions.end() || main->is_declaration()) return use;
  if (!format && std::ranges::none_of(module.functions, [](const Function& each) {
        return has_op(each.body, [](const Op& op) { return annotation_of(op) != nullptr; });
      }))
    return use;
  const std::vector<OptimizerState> states = optimizer_states(module);
  std::vector<std::pair<OptimizerState, ElementType>> narrowed;
  for (const OptimizerState& state : states) {
    if (const auto element = format_of(module, state, formats))
      narrowed.emplace_back(state, *element);
  }
  use.operands = std::ssize(states);
  use.formatted = std::ssize(narrowed);
  if (narrowed.empty()) return use;
  Holder holder(module, *main);
  for (const auto& [state, element] : narrowed) holder.hold(state, element);
  holder.finish();
  return use;
}

}  // namespace trainyard::graph
