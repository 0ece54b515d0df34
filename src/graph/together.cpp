#include "graph/together.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "base/error.h"

namespace trainyard::graph {

namespace {

constexpr std::array collectives{OpKind::all_gather,         OpKind::all_reduce,
                                 OpKind::all_to_all,         OpKind::collective_broadcast,
                                 OpKind::collective_permute, OpKind::partition_id,
                                 OpKind::reduce_scatter,     OpKind::replica_id};

bool is_collective(const Op& op) {
  return std::ranges::find(collectives, op.kind) != collectives.end();
}

void add_read(const Region& region, std::set<ValueId>& inside, std::set<ValueId>& read) {
  inside.insert(region.arguments.begin(), region.arguments.end());
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) {
      if (!inside.contains(value)) read.insert(value);
    }
    for (const Region& nested : op.regions) add_read(nested, inside, read);
    inside.insert(op.results.begin(), op.results.end());
  }
}

// The values of a piece get numbers of their own.
class Renumbering {
 public:
  Renumbering(const Function& from, Function& to) : from_(from), to_(to) {}

  ValueId value(ValueId old) {
    const auto [at, is_new] = numbers_.try_emplace(old, 0);
    if (is_new) at->second = to_.add_value(from_.type(old));
    return at->second;
  }
  void region(Region& region) {
    for (ValueId& argument : region.arguments) argument = value(argument);
    for (Op& each : region.ops) op(each);
  }
  void op(Op& op) {
    for (ValueId& operand : op.operands) operand = value(operand);
    for (Region& each : op.regions) region(each);
    for (ValueId& result : op.results) result = value(result);
  }

 private:
  const Function& from_;
  Function& to_;
  std::map<ValueId, ValueId> numbers_;
};

const Op* source_of(ValueId value, const Region& region) {
  for (const Op& op : region.ops) {
    if (std::ranges::find(op.results, value) != op.results.end()) return &op;
  }
  return nullptr;
}

std::optional<std::int64_t> integer_constant(ValueId value, const Region& region,
                                             const Region& around) {
  const Op* op = source_of(value, region);
  if (op == nullptr) op = source_of(value, around);
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

Together::Together(Module module, std::size_t devices)
    : module_(std::move(module)), devices_(devices) {
  main_ = &module_.entry();
  steps_ = steps_of(main_->body);
}

void Together::refuse(const Op& op, std::string found) const {
  throw base::InputError({"graph.devices",
                          "all devices meet at a collective: in main, in a function that it calls, "
                          "or in a loop that turns as often on all of them",
                          module_.describe(op.location), std::move(found),
                          "move the collective out of the branch, or run it on every device"});
}

// Whether a collective is in it.
bool Together::meets(const Op& op) const {
  if (is_collective(op)) return true;
  const auto in_region = [&](const Region& region) {
    return std::ranges::any_of(region.ops, [&](const Op& each) { return meets(each); });
  };
  if (op.kind == OpKind::call) {
    const Function* const callee = module_.find(op.symbol("callee"));
    return callee != nullptr && in_region(callee->body);
  }
  return std::ranges::any_of(op.regions, in_region);
}

Together::Steps Together::steps_of(const Region& region) {
  Steps steps;
  const std::span<const Op> ops(region.ops);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const Op& op = ops[i];
    const bool is_end = op.kind == OpKind::return_;
    if (!is_end && !meets(op)) continue;
    if (i > begin) add_piece(ops.subspan(begin, i - begin), ops.subspan(i), steps);
    begin = i + 1;
    if (is_end) break;
    Step step{.op = &op};
    if (op.kind == OpKind::while_) {
      step.loop = std::make_shared<const Loop>(
          Loop{steps_of(op.regions.at(0)), steps_of(op.regions.at(1)), turns_of(op, region)});
    } else if (!is_collective(op)) {
      refuse(op, fmt::format("a collective inside {}", name(op.kind)));
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

void Together::add_piece(std::span<const Op> ops, std::span<const Op> after, Steps& steps) {
  std::set<ValueId> inside, read, later, defined;
  for (const Op& op : ops) {
    for (const ValueId value : op.operands) {
      if (!inside.contains(value)) read.insert(value);
    }
    for (const Region& region : op.regions) add_read(region, inside, read);
    inside.insert(op.results.begin(), op.results.end());
    defined.insert(op.results.begin(), op.results.end());
  }
  std::set<ValueId> ignored;
  for (const Op& op : after) {
    later.insert(op.operands.begin(), op.operands.end());
    for (const Region& region : op.regions) add_read(region, ignored, later);
  }
  Piece piece{.module = {.name = module_.name, .locations = module_.locations}};
  piece.inputs.assign(read.begin(), read.end());
  for (const ValueId value : defined) {
    if (later.contains(value)) piece.outputs.push_back(value);
  }
  Function main{.name = "main"};
  Renumbering renumbering(*main_, main);
  main.body.arguments = piece.inputs;
  main.body.ops.assign(ops.begin(), ops.end());
  main.body.ops.push_back({.kind = OpKind::return_, .operands = piece.outputs});
  renumbering.region(main.body);
  piece.module.functions.push_back(std::move(main));
  for (const Function& other : module_.functions) {
    if (&other != main_) piece.module.functions.push_back(other);
  }
  steps.push_back({.piece = pieces_.size()});
  pieces_.push_back(std::move(piece));
}

// Of a loop that counts up to a constant, as jax.lax.scan makes it.
std::optional<std::int64_t> Together::turns_of(const Op& loop, const Region& around) const {
  const Region &condition = loop.regions.at(0), &body = loop.regions.at(1);
  const Op* const compare = source_of(condition.ops.back().operands.at(0), condition);
  if (compare == nullptr || compare->kind != OpKind::compare ||
      compare->text("comparison_direction") != "LT")
    return std::nullopt;
  const auto counter = std::ranges::find(condition.arguments, compare->operands[0]);
  if (counter == condition.arguments.end()) return std::nullopt;
  const auto i = static_cast<std::size_t>(counter - condition.arguments.begin());
  const Op* const step = source_of(body.ops.back().operands.at(i), body);
  if (step == nullptr || step->kind != OpKind::add || step->operands[0] != body.arguments.at(i))
    return std::nullopt;
  const auto limit = integer_constant(compare->operands[1], condition, around);
  const auto first = integer_constant(loop.operands.at(i), around, around);
  const auto by = integer_constant(step->operands[1], body, around);
  if (!limit || !first || !by || *by < 1) return std::nullopt;
  return std::max<std::int64_t>(0, (*limit - *first + *by - 1) / *by);
}

}  // namespace trainyard::graph
