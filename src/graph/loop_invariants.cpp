#include "graph/loop_invariants.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "graph/recompute.h"

namespace trainyard::graph {

namespace {

constexpr std::int64_t elements_min = 512;  // smaller ones fill no row of SBUF
constexpr std::int64_t times_smaller = 8;   // what is read instead
constexpr std::size_t ops_max = 24;         // behind a value

// Moves elements, or computes each in an instruction's pass over them.
bool is_light(OpKind kind) {
  return is(kind, Trait::created) || is(kind, Trait::arrange) || is(kind, Trait::fold) ||
         is(kind, Trait::choice) || is(kind, Trait::bitwise) || kind == OpKind::subtract ||
         kind == OpKind::compare;
}

// Moves elements of constants or other values, or computes them in a pass.
bool may_sink(const Op& op) {
  return is_light(op.kind) && op.results.size() == 1 && op.regions.empty() &&
         (op.kind != OpKind::constant || op.literal("value").splat ||
          op.literal("value").type.elements() == 1);
}

class Sinking {
 public:
  explicit Sinking(Function& function) : function_(function) {}

  void run(Region& region) {
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      Op& op = region.ops[i];
      Renamed outside;
      if (op.kind == OpKind::while_) sink(op, outside);
      for (const ValueId value : op.results) makers_[value] = &op;
      for (Region& inner : op.regions) run(inner);
      if (!outside.empty()) rename_operands(region, outside);
    }
  }

 private:
  // The operations behind a value, in their order; false where it costs more than reading it.
  bool collect(ValueId value, std::int64_t elements, std::vector<const Op*>& ops) const {
    const auto is_there =
        std::ranges::any_of(ops, [&](const Op* op) { return op->results[0] == value; });
    if (is_there) return true;
    const auto maker = makers_.find(value);
    const Type& type = function_.type(value);
    if (type.kind != Type::Kind::tensor || !type.is_static()) return false;
    if (maker != makers_.end() && may_sink(*maker->second) && type.elements() <= elements) {
      const std::size_t before = ops.size();
      const Op* const op = maker->second;
      const bool follows = std::ranges::all_of(
          op->operands, [&](ValueId each) { return collect(each, elements, ops); });
      if (follows && ops.size() < ops_max) {
        ops.push_back(op);
        return true;
      }
      ops.resize(before);
    }
    return type.elements() * times_smaller <= elements;
  }

  // `outside`: what stands for the loop's results.
  void sink(Op& loop, Renamed& outside) {
    Region &condition = loop.regions.at(0), &body = loop.regions.at(1);
    const std::vector<ValueId> left = body.ops.back().operands;
    std::vector<bool> kept(loop.operands.size(), true);
    std::vector<Op> made;
    Renamed inside, decides;
    for (std::size_t i = 0; i < loop.operands.size(); ++i) {
      const ValueId given = loop.operands[i];
      if (left[i] != body.arguments[i] || function_.type(given).kind != Type::Kind::tensor ||
          !function_.type(given).is_static() || function_.type(given).elements() < elements_min)
        continue;
      std::vector<const Op*> ops;
      if (!collect(given, function_.type(given).elements(), ops) || ops.empty()) continue;
      kept[i] = false;
      Renamed names;
      for (const Op* const op : ops) made.push_back(copy_of(*op, names, function_));
      inside[body.arguments[i]] = made.back().results[0];
      decides[condition.arguments[i]] = outside[loop.results[i]] = given;
    }
    if (made.empty()) return;
    rename_operands(condition, decides);
    rename_operands(body, inside);
    body.ops.insert(body.ops.begin(), std::make_move_iterator(made.begin()),
                    std::make_move_iterator(made.end()));
    keep_carried(loop, kept);
  }

  Function& function_;
  Makers makers_;
};

}  // namespace

void compute_in_loops(Module& module) {
  for (Function& function : module.functions) Sinking(function).run(function.body);
}

}  // namespace trainyard::graph
