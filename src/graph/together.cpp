#include "graph/together.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

#include "base/error.h"
#include "graph/donation.h"
#include "graph/recompute.h"

namespace trainyard::graph {

namespace {

constexpr std::array collectives{OpKind::all_gather,         OpKind::all_reduce,
                                 OpKind::all_to_all,         OpKind::collective_broadcast,
                                 OpKind::collective_permute, OpKind::partition_id,
                                 OpKind::reduce_scatter,     OpKind::replica_id};

bool is_collective(const Op& op) {
  return std::ranges::find(collectives, op.kind) != collectives.end();
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
  for (Function& function : module_.functions) {
    if (&function == main_) recompute(function, function.body);
  }
  std::set<ValueId> owned;
  const std::vector<bool> donated = donated_arguments(*main_);
  for (std::size_t i = 0; i < donated.size(); ++i) {
    if (donated[i]) owned.insert(main_->body.arguments[i]);
  }
  steps_ = steps_of(main_->body, std::move(owned));
}

void Together::recompute(Function& function, Region& region) const {
  for (Op& op : region.ops) {
    if (op.kind == OpKind::while_ && meets(op)) recompute(function, op.regions.at(1));
  }
  recompute_across(function, region, [&](const Op& op) { return meets(op); });
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

Together::Steps Together::steps_of(const Region& region, std::set<ValueId> owned) {
  const Pieces pieces(*main_, region, [&](const Op& op) { return meets(op); });
  Steps steps;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    const Op& op = region.ops[i];
    const bool is_end = op.kind == OpKind::return_;
    if (!is_end && !meets(op)) continue;
    add_piece(pieces, begin, i, owned, steps);
    for (std::size_t made = begin; made < i; ++made)
      owned.insert(region.ops[made].results.begin(), region.ops[made].results.end());
    begin = i + 1;
    if (is_end) break;
    Step step{.op = &op};
    if (op.kind == OpKind::while_) {
      step.loop = std::make_shared<const Loop>(loop_of(op, i, region, pieces, owned));
    } else if (!is_collective(op)) {
      refuse(op, fmt::format("a collective inside {}", name(op.kind)));
    } else if (&region != &main_->body) {
      step.is_ahead = std::ranges::all_of(
          op.operands, [&](ValueId value) { return is_of_invariants(value, region); });
    }
    owned.insert(op.results.begin(), op.results.end());
    steps.push_back(std::move(step));
  }
  return steps;
}

bool Together::is_of_invariants(ValueId value, const Region& region) const {
  constexpr std::int64_t places_max = 16;  // elements of numbers that places are computed from
  const Type& type = main_->type(value);
  if (type.kind == Type::Kind::tensor && type.is_static() && type.elements() <= places_max)
    return true;
  const auto argument = std::ranges::find(region.arguments, value);
  if (argument != region.arguments.end()) {
    const auto i = static_cast<std::size_t>(argument - region.arguments.begin());
    return i < region.ops.back().operands.size() && region.ops.back().operands[i] == value;
  }
  const Op* const source = source_of(value, region);
  if (source == nullptr) return true;  // of outside
  switch (source->kind) {
    case OpKind::constant:
    case OpKind::dynamic_slice:
    case OpKind::reshape:
    case OpKind::slice:
    case OpKind::transpose:
      return std::ranges::all_of(source->operands,
                                 [&](ValueId each) { return is_of_invariants(each, region); });
    default: return false;
  }
}

// What a turn hands on in the memory of the turn before is the loop's own: given to it by who has
// no other use for it (or a view of constants, which it gets a copy of), and not handed through.
Together::Loop Together::loop_of(const Op& op, std::size_t at, const Region& around,
                                 const Pieces& pieces, const std::set<ValueId>& owned) {
  const Region& body = op.regions.at(1);
  const std::vector<ValueId>& handed_on = body.ops.back().operands;
  std::set<ValueId> carried;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const ValueId given = op.operands[i];
    const bool is_given_up =
        pieces.is_repeated(given) ||
        (owned.contains(given) && std::ranges::count(op.operands, given) == 1 &&
         !pieces.is_read_from(at + 1, given));
    const bool changes = std::ranges::find(body.arguments, handed_on[i]) == body.arguments.end() &&
                         std::ranges::count(handed_on, handed_on[i]) == 1;
    if (is_given_up && changes) carried.insert(body.arguments[i]);
  }
  return {steps_of(op.regions.at(0), {}), steps_of(body, std::move(carried)), turns_of(op, around)};
}

void Together::add_piece(const Pieces& pieces, std::size_t begin, std::size_t end,
                         const std::set<ValueId>& owned, Steps& steps) {
  std::vector<Op> ops = pieces.ops(begin, end);
  if (ops.empty()) return;
  std::set<ValueId> read, inside;
  for (const Op& op : ops) {
    add_read(op, read);
    inside.insert(op.results.begin(), op.results.end());
  }
  Piece piece{.module = {.name = module_.name, .locations = module_.locations}};
  std::ranges::set_difference(read, inside, std::back_inserter(piece.inputs));
  piece.outputs = pieces.outputs(begin, end);
  Function main{.name = "main"};
  for (const ValueId input : piece.inputs) {
    Dictionary& attributes = main.argument_attributes.emplace_back();
    if (owned.contains(input) && !pieces.is_read_from(end, input))
      attributes.push_back({std::string(donor_attribute), {true}});
  }
  Renumbering renumbering(*main_, main);
  main.body.arguments = piece.inputs;
  main.body.ops = std::move(ops);
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
