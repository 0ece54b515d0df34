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
  switch (kind) {
    case OpKind::add:
    case OpKind::and_:
    case OpKind::broadcast_in_dim:
    case OpKind::compare:
    case OpKind::constant:
    case OpKind::convert:
    case OpKind::iota:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::multiply:
    case OpKind::negate:
    case OpKind::not_:
    case OpKind::or_:
    case OpKind::reshape:
    case OpKind::select:
    case OpKind::slice:
    case OpKind::subtract:
    case OpKind::transpose: return true;
    default: return false;
  }
}

template <typename T>
void drop(std::vector<T>& all, const std::vector<bool>& dropped) {
  std::size_t i = 0;
  std::erase_if(all, [&](const T&) { return dropped[i++]; });
}

class Sinking {
 public:
  explicit Sinking(Function& function) : function_(function) {}

  void run(Region& region) {
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      Op& op = region.ops[i];
      Renamed outside;
      if (op.kind == OpKind::while_) sink(op, outside);
      for (const ValueId value : op.results) makers_[value] = {op.kind, light(op)};
      for (Region& inner : op.regions) run(inner);
      if (!outside.empty()) rename_operands(region, outside);
    }
  }

 private:
  struct Maker {
    OpKind kind = OpKind::return_;
    Op op{};  // where it is light
  };

  [[nodiscard]] static Op light(const Op& op) {
    const bool may_repeat = is_light(op.kind) && op.results.size() == 1 && op.regions.empty() &&
                            (op.kind != OpKind::constant || op.literal("value").splat ||
                             op.literal("value").type.elements() == 1);
    return may_repeat ? op : Op{};
  }

  // The operations behind a value, in their order; false where it costs more than reading it.
  bool collect(ValueId value, std::int64_t elements, std::vector<Op>& ops) const {
    const auto is_there =
        std::ranges::any_of(ops, [&](const Op& op) { return op.results[0] == value; });
    if (is_there) return true;
    const auto maker = makers_.find(value);
    const Type& type = function_.type(value);
    if (type.kind != Type::Kind::tensor || !type.is_static()) return false;
    if (maker != makers_.end() && maker->second.op.kind != OpKind::return_ &&
        type.elements() <= elements) {
      const std::size_t before = ops.size();
      const Op& op = maker->second.op;
      const bool follows = std::ranges::all_of(
          op.operands, [&](ValueId each) { return collect(each, elements, ops); });
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
    std::vector<bool> dropped(loop.operands.size());
    std::vector<Op> made;
    Renamed inside, decides;
    for (std::size_t i = 0; i < loop.operands.size(); ++i) {
      const ValueId given = loop.operands[i];
      if (left[i] != body.arguments[i] || function_.type(given).kind != Type::Kind::tensor ||
          !function_.type(given).is_static() || function_.type(given).elements() < elements_min)
        continue;
      std::vector<Op> ops;
      if (!collect(given, function_.type(given).elements(), ops) || ops.empty()) continue;
      dropped[i] = true;
      inside[body.arguments[i]] = again(std::move(ops), made);
      decides[condition.arguments[i]] = outside[loop.results[i]] = given;
    }
    if (made.empty()) return;
    rename_operands(condition, decides);
    rename_operands(body, inside);
    body.ops.insert(body.ops.begin(), std::make_move_iterator(made.begin()),
                    std::make_move_iterator(made.end()));
    for (std::vector<ValueId>* const each : {&loop.operands, &loop.results, &condition.arguments,
                                             &body.arguments, &body.ops.back().operands})
      drop(*each, dropped);
  }

  // The operations once more, with values of their own; the last one's result.
  ValueId again(std::vector<Op> ops, std::vector<Op>& made) {
    Renamed names;
    for (Op& op : ops) {
      for (ValueId& value : op.operands) {
        if (const auto found = names.find(value); found != names.end()) value = found->second;
      }
      const ValueId result = function_.add_value(Type(function_.type(op.results[0])));
      names[std::exchange(op.results[0], result)] = result;
      made.push_back(std::move(op));
    }
    return made.back().results[0];
  }

  Function& function_;
  std::map<ValueId, Maker> makers_;
};

}  // namespace

void compute_in_loops(Module& module) {
  for (Function& function : module.functions) Sinking(function).run(function.body);
}

}  // namespace trainyard::graph
