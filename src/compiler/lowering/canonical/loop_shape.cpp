#include "compiler/lowering/canonical/loop_shape.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/canonical/region_values.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::ValueId;

std::optional<LoopShape::Step> step_of(const Region& body, ValueId argument, ValueId result) {
  const Op* const op = definition(body, result);
  if (op == nullptr || (op->kind != OpKind::add && op->kind != OpKind::subtract))
    return std::nullopt;
  if (op->operands[0] == argument)
    return LoopShape::Step{op->operands[1], op->kind == OpKind::subtract};
  if (op->operands[1] == argument && op->kind == OpKind::add)
    return LoopShape::Step{op->operands[0]};
  return std::nullopt;
}

std::string turned_round(std::string_view direction) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> pairs{
      {{"LT", "GT"}, {"LE", "GE"}, {"GT", "LT"}, {"GE", "LE"}}};
  const auto found =
      std::ranges::find(pairs, direction, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == pairs.end() ? direction : found->second);
}

std::optional<LoopShape::Bound> bound_of(const Region& condition,
                                         const std::vector<LoopShape::State>& states) {
  const Op* const op = definition(condition, condition.ops.back().operands.at(0));
  if (op == nullptr || op->kind != OpKind::compare) return std::nullopt;
  const std::string& direction = op->text("comparison_direction");
  if (direction == "EQ") return std::nullopt;
  const auto place = [&](ValueId value) { return std::ranges::find(condition.arguments, value); };
  for (const bool is_turned : {false, true}) {
    const auto found = place(op->operands[is_turned ? 1 : 0]);
    if (found == condition.arguments.end()) continue;
    const auto state = static_cast<std::size_t>(std::distance(condition.arguments.begin(), found));
    if (!states[state].step) continue;
    return LoopShape::Bound{state, is_turned ? turned_round(direction) : direction,
                            op->operands[is_turned ? 0 : 1]};
  }
  return std::nullopt;
}

}  // namespace

LoopShape shape_of(const Op& loop) {
  const Region& body = loop.regions.at(1);
  const std::vector<ValueId>& results = body.ops.back().operands;
  LoopShape shape;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ValueId argument = body.arguments.at(i);
    shape.states.push_back({results[i] == argument, step_of(body, argument, results[i])});
  }
  shape.bound = bound_of(loop.regions.at(0), shape.states);
  return shape;
}

std::optional<std::int64_t> turns_of(std::int64_t end, std::int64_t step,
                                     const std::string& direction) {
  if (direction == "NE") {
    if (step == 0 || end % step != 0 || end / step < 0) return std::nullopt;
    return end / step;
  }
  const bool is_downwards = direction == "GT" || direction == "GE";
  const std::int64_t distance = is_downwards ? -end : end, pace = is_downwards ? -step : step;
  const bool is_inclusive = direction == "LE" || direction == "GE";
  if (distance < 0 || (distance == 0 && !is_inclusive)) return 0;
  if (pace <= 0) return std::nullopt;
  return is_inclusive ? distance / pace + 1 : base::ceil_div(distance, pace);
}

}  // namespace trainyard::compiler
