// A program cut into bodies, where devices meet.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "graph/donation.h"
#include "graph/loop_turns.h"
#include "graph/reads.h"
#include "graph/recompute.h"
#include "plan/collectives.h"
#include "plan/order.h"
#include "plan/pieces.h"
#include "plan/plan.h"

namespace trainyard::plan {

namespace {

using graph::ElementType, graph::Literal, graph::OpKind, graph::Type;

// The values of a body get numbers of their own.
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

class Cutting {
 public:
  Cutting(const graph::Module& module, std::size_t devices)
      : module_(module), main_(module.entry()), devices_(devices) {}

  Plan plan(std::shared_ptr<const graph::Module> module) && {
    std::set<ValueId> owned;
    const std::vector<bool> donated = graph::donated_arguments(main_);
    for (std::size_t i = 0; i < donated.size(); ++i) {
      if (donated[i]) owned.insert(main_.body.arguments[i]);
    }
    Steps steps = steps_of(main_.body, std::move(owned));
    return {std::move(module), devices_, std::move(bodies_), std::move(steps)};
  }

 private:
  // `owned`: arguments of the region whose memory nothing else holds.
  Steps steps_of(const Region& region, std::set<ValueId> owned) {
    const Pieces pieces(main_, region, [&](const Op& op) { return meets(module_, op); });
    Steps steps;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      const Op& op = region.ops[i];
      const bool is_end = op.kind == OpKind::return_;
      if (!is_end && !meets(module_, op)) continue;
      add_body(pieces, begin, i, owned, steps);
      for (std::size_t made = begin; made < i; ++made)
        owned.insert(region.ops[made].results.begin(), region.ops[made].results.end());
      begin = i + 1;
      if (is_end) break;
      steps.push_back(step_of(op, i, region, pieces, owned));
      owned.insert(op.results.begin(), op.results.end());
    }
    return steps;
  }

  Step step_of(const Op& op, std::size_t at, const Region& region, const Pieces& pieces,
               const std::set<ValueId>& owned) {
    if (op.kind == OpKind::while_) return {loop_of(op, at, region, pieces, owned)};
    if (is_collective(op)) return {meet_of(op, region)};
    if (op.kind != OpKind::case_ && op.kind != OpKind::if_)
      refuse(module_, op, fmt::format("a collective inside {}", name(op.kind)));
    Choice choice{.op = &op};
    for (const Region& side : op.regions) choice.sides.push_back(steps_of(side, {}));
    return {std::move(choice)};
  }

  Meet meet_of(const Op& op, const Region& region) const {
    std::int64_t given = 0, got = 0;
    for (const ValueId value : op.operands) given += main_.type(value).bytes();
    for (const ValueId value : op.results) got += main_.type(value).bytes();
    const bool is_ahead =
        &region != &main_.body && std::ranges::all_of(op.operands, [&](ValueId value) {
          return is_of_invariants(value, region);
        });
    // How many rows are sent depends on values: as many as there are.
    const std::int64_t bytes =
        is_ragged(op) ? main_.type(op.operands[0]).bytes() : std::max(given, got);
    return {&op, groups_of(module_, op, devices_), bytes, is_ahead};
  }

  // Whether a value in a loop's body lies in what turns do not change, at a place that they count.
  [[nodiscard]] bool is_of_invariants(ValueId value, const Region& region) const {
    constexpr std::int64_t places_max = 16;  // elements of numbers that places are computed from
    const Type& type = main_.type(value);
    if (type.kind == Type::Kind::tensor && type.is_static() && type.elements() <= places_max)
      return true;
    const auto argument = std::ranges::find(region.arguments, value);
    if (argument != region.arguments.end()) {
      const auto i = static_cast<std::size_t>(argument - region.arguments.begin());
      return i < region.ops.back().operands.size() && region.ops.back().operands[i] == value;
    }
    const Op* const source = graph::maker_in(value, region);
    if (source == nullptr) return true;  // of outside
    if (source->kind != OpKind::constant && source->kind != OpKind::dynamic_slice &&
        !graph::is(source->kind, graph::Trait::arrange))
      return false;
    return std::ranges::all_of(source->operands,
                               [&](ValueId each) { return is_of_invariants(each, region); });
  }

  // What a turn hands on in the memory of the turn before is the loop's own: given to it by who has
  // no other use for it (or a view of constants, which it gets a copy of), and not handed through.
  Loop loop_of(const Op& op, std::size_t at, const Region& around, const Pieces& pieces,
               const std::set<ValueId>& owned) {
    const Region& body = op.regions.at(1);
    const std::vector<ValueId>& handed_on = body.ops.back().operands;
    std::set<ValueId> carried;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const ValueId given = op.operands[i];
      const bool is_given_up =
          pieces.is_repeated(given) ||
          (owned.contains(given) && std::ranges::count(op.operands, given) == 1 &&
           !pieces.is_read_from(at + 1, given));
      const bool changes =
          std::ranges::find(body.arguments, handed_on[i]) == body.arguments.end() &&
          std::ranges::count(handed_on, handed_on[i]) == 1;
      if (is_given_up && changes) carried.insert(body.arguments[i]);
    }
    return {&op, steps_of(op.regions.at(0), {}), steps_of(body, std::move(carried)),
            graph::counted_turns(op, around)};
  }

  void add_body(const Pieces& pieces, std::size_t begin, std::size_t end,
                const std::set<ValueId>& owned, Steps& steps) {
    std::vector<Op> ops = pieces.ops(begin, end);
    if (ops.empty()) return;
    std::set<ValueId> read, inside;
    for (const Op& op : ops) {
      graph::add_read(op, read);
      inside.insert(op.results.begin(), op.results.end());
    }
    Body body{.module = {.name = module_.name, .locations = module_.locations}};
    std::ranges::set_difference(read, inside, std::back_inserter(body.inputs));
    body.outputs = pieces.outputs(begin, end);
    Function main{.name = "main"};
    for (const ValueId input : body.inputs) {
      graph::Dictionary& attributes = main.argument_attributes.emplace_back();
      if (owned.contains(input) && !pieces.is_read_from(end, input))
        attributes.push_back({std::string(graph::donor_attribute), {true}});
    }
    Renumbering renumbering(main_, main);
    main.body.arguments = body.inputs;
    main.body.ops = std::move(ops);
    main.body.ops.push_back({.kind = OpKind::return_, .operands = body.outputs});
    renumbering.region(main.body);
    body.module.functions.push_back(std::move(main));
    for (const Function& other : module_.functions) {
      if (&other != &main_) body.module.functions.push_back(other);
    }
    steps.push_back({RunBody{bodies_.size()}});
    bodies_.push_back(std::move(body));
  }

  const graph::Module& module_;
  const Function& main_;
  std::size_t devices_;
  std::vector<Body> bodies_;
};

// What one body computes and a later one reads, where keeping it costs more, is computed again.
void recompute(const graph::Module& module, Function& function, Region& region) {
  for (Op& op : region.ops) {
    if (!meets(module, op)) continue;
    if (op.kind == OpKind::while_) recompute(module, function, op.regions.at(1));
    if (op.kind == OpKind::case_ || op.kind == OpKind::if_) {
      for (Region& side : op.regions) recompute(module, function, side);
    }
  }
  graph::recompute_across(function, region, [&](const Op& op) { return meets(module, op); });
}

}  // namespace

void refuse(const graph::Module& module, const Op& op, std::string found) {
  throw base::InputError({"graph.devices",
                          "all devices meet at a collective, and take the same way there through "
                          "loops and branches",
                          module.describe(op.location), std::move(found),
                          "let what decides be the same on every device"});
}

Plan make_plan(graph::Module module, std::size_t devices) {
  auto kept = std::make_shared<graph::Module>(std::move(module));
  const Function* const main = &kept->entry();
  for (Function& function : kept->functions) {
    if (&function != main) continue;
    order_around_collectives(*kept, function, function.body);
    recompute(*kept, function, function.body);
    graph::drop_unread(function.body);  // what only gradients of what is computed again read
  }
  return Cutting(*kept, devices).plan(kept);
}

}  // namespace trainyard::plan
