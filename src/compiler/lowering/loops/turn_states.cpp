#include "compiler/lowering/loops/turn_states.h"

#include <algorithm>

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

// A constant of outside under the body's name.
void note(TurnBatch& batch, const Op& constant, ValueId as) {
  if (constant.kind != OpKind::constant || !batch.type(as).shape.empty()) return;
  Op mine = constant;
  mine.results = {as};
  batch.note_constant(mine);
}

}  // namespace

ValueId whole_number(graph::Builder& write, std::int64_t number) {
  return write.constant(graph::filled(count_type, static_cast<double>(number)));
}

std::optional<std::int64_t> whole_number(const Definitions& definitions, ValueId value) {
  const Op* const op = definitions.of(value, OpKind::constant);
  if (op == nullptr || definitions.type(value) != count_type) return std::nullopt;
  const std::optional<double> number = one_number(op->literal("value"));
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::optional<std::int64_t> counted(const Definitions& definitions, const LoopShape::Step& step) {
  const std::optional<std::int64_t> by = whole_number(definitions, step.by);
  if (!by) return std::nullopt;
  return step.is_taken_away ? -*by : *by;
}

std::optional<std::int64_t> known_turns(const Definitions& definitions, const Op& loop) {
  const LoopShape shape = shape_of(loop);
  if (!shape.bound) return std::nullopt;
  const auto given = [&](ValueId value) {  // to a state that turns hand on
    const auto& arguments = loop.regions[0].arguments;
    const auto found = std::ranges::find(arguments, value);
    if (found == arguments.end()) return value;
    const auto state = static_cast<std::size_t>(found - arguments.begin());
    return shape.states[state].is_same ? loop.operands[state] : value;
  };
  const auto first = whole_number(definitions, loop.operands[shape.bound->state]);
  const auto last = whole_number(definitions, given(shape.bound->value));
  const auto by = counted(definitions, *shape.states[shape.bound->state].step);
  if (!first || !last || !by) return std::nullopt;
  return turns_of(*last - *first, *by, shape.bound->direction);
}

std::vector<std::optional<ValueId>> enter_loop(TurnBatch& batch, const Definitions& outside,
                                               const Op& loop) {
  const Region& body = loop.regions.at(1);
  batch.write().at(loop.location);
  for (const ValueId value : body.arguments) batch.own(value);
  for (const Op& op : body.ops) {
    for (const ValueId value : op.results) batch.own(value);
    for (const ValueId value : op.operands) {
      if (const Op* const source = outside.of(value)) batch.note_constant(*source);
    }
  }
  const LoopShape shape = shape_of(loop);
  std::vector<std::optional<ValueId>> results(loop.results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ValueId argument = body.arguments[i], initial = loop.operands[i];
    if (shape.states[i].is_same) {
      batch.define(argument, {initial});
      if (const Op* const op = outside.of(initial)) note(batch, *op, argument);
      results[i] = initial;
      continue;
    }
    if (!shape.states[i].step) continue;
    const auto first = whole_number(outside, initial),
               step = counted(outside, *shape.states[i].step);
    if (!first || !step) continue;
    batch.define_counter(argument, *first, *step);
    results[i] = batch.write().number(batch.type(argument),
                                      static_cast<double>(*first + batch.turns() * *step));
  }
  return results;
}

}  // namespace trainyard::compiler
