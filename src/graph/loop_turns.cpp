#include "graph/loop_turns.h"

#include <algorithm>
#include <cstring>

namespace trainyard::graph {

namespace {

// Of the region or of the one around it.
std::optional<std::int64_t> integer_constant(ValueId value, const Region& region,
                                             const Region& around) {
  const Op* op = maker_in(value, region);
  if (op == nullptr) op = maker_in(value, around);
  if (op == nullptr || op->kind != OpKind::constant) return std::nullopt;
  const Literal& literal = op->literal("value");
  std::int64_t number = 0;
  if (literal.type.element == ElementType::s32) {
    std::int32_t narrow = 0;
    std::memcpy(&narrow, literal.content.data(), sizeof(narrow));
    number = narrow;
  } else if (literal.type.element == ElementType::s64) {
    std::memcpy(&number, literal.content.data(), sizeof(number));
  } else {
    return std::nullopt;
  }
  return number;
}

}  // namespace

const Op* maker_in(ValueId value, const Region& region) {
  for (const Op& op : region.ops) {
    if (std::ranges::find(op.results, value) != op.results.end()) return &op;
  }
  return nullptr;
}

std::optional<std::int64_t> counted_turns(const Op& loop, const Region& around) {
  const Region &condition = loop.regions.at(0), &body = loop.regions.at(1);
  const Op* const compare = maker_in(condition.ops.back().operands.at(0), condition);
  if (compare == nullptr || compare->kind != OpKind::compare ||
      compare->text("comparison_direction") != "LT")
    return std::nullopt;
  const auto counter = std::ranges::find(condition.arguments, compare->operands[0]);
  if (counter == condition.arguments.end()) return std::nullopt;
  const auto i = static_cast<std::size_t>(counter - condition.arguments.begin());
  const Op* const step = maker_in(body.ops.back().operands.at(i), body);
  if (step == nullptr || step->kind != OpKind::add || step->operands[0] != body.arguments.at(i))
    return std::nullopt;
  const auto limit = integer_constant(compare->operands[1], condition, around);
  const auto first = integer_constant(loop.operands.at(i), around, around);
  const auto by = integer_constant(step->operands[1], body, around);
  if (!limit || !first || !by || *by < 1) return std::nullopt;
  return std::max<std::int64_t>(0, (*limit - *first + *by - 1) / *by);
}

}  // namespace trainyard::graph
