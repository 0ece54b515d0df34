#include "graph/residuals.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "graph/reads.h"
#include "graph/recompute.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

std::size_t position(const std::vector<ValueId>& all, ValueId value) {
  return static_cast<std::size_t>(std::ranges::find(all, value) - all.begin());
}

void find_makers(const Region& region, Makers& makers) {
  for (const Op& op : region.ops) {
    for (const ValueId value : op.results) makers.emplace(value, &op);
  }
}

const Op* maker(const Makers& makers, ValueId value) {
  const auto found = makers.find(value);
  return found == makers.end() ? nullptr : found->second;
}

bool is_zero(const Makers& makers, ValueId value) {
  const Op* const op = maker(makers, value);
  return op != nullptr && op->kind == OpKind::constant && is_all_zero(op->literal("value"));
}

// Whether two numbers are computed alike.
bool is_same(const Makers& makers, ValueId a, ValueId b, int depth = 8) {
  if (a == b) return true;
  const Op *const one = maker(makers, a), *const other = maker(makers, b);
  return depth > 0 && one != nullptr && other != nullptr && one->kind == other->kind &&
         one->attributes == other->attributes && one->regions.empty() && other->regions.empty() &&
         std::ranges::equal(one->operands, other->operands,
                            [&](ValueId x, ValueId y) { return is_same(makers, x, y, depth - 1); });
}

// One element of the first dimension: at which place. Of a slice or an update, whose places begin
// at that operand.
std::optional<ValueId> place_of(const Op& op, std::size_t first, const Makers& makers) {
  for (std::size_t i = first + 1; i < op.operands.size(); ++i) {
    if (!is_zero(makers, op.operands[i])) return std::nullopt;
  }
  return op.operands.size() > first ? std::optional(op.operands[first]) : std::nullopt;
}

// A loop whose turns leave values in stacks, one after the other.
class Forward {
 public:
  Forward(const Function& function, const Op& loop) : function_(function), loop_(loop) {
    find_makers(body(), makers_);
    const std::vector<ValueId>& left = body().ops.back().operands;
    for (std::size_t i = 0; i < left.size(); ++i) add_stack(i, left[i]);
    for (const Op& op : body().ops) add_slice(op);
  }

  [[nodiscard]] const Region& body() const { return loop_.regions.at(1); }
  [[nodiscard]] const Makers& makers() const { return makers_; }
  // What the turn left in a stack, by the loop's result; nothing where it is no stack.
  [[nodiscard]] std::optional<ValueId> left_in(ValueId stack) const {
    const auto found = left_.find(stack);
    return found == left_.end() ? std::nullopt : std::optional(found->second);
  }
  // Whether it can be had outside of the loop, of any turn.
  [[nodiscard]] bool is_there(ValueId value) const {
    return stacks_.contains(value) || outside(value).has_value();
  }
  // In which stack a value of a turn lies, and as which type one turn's slice has.
  struct Place {
    ValueId stack;
    Type type;
  };
  [[nodiscard]] const Place* stack_of(ValueId value) const {
    const auto found = stacks_.find(value);
    return found == stacks_.end() ? nullptr : &found->second;
  }
  // What is the same in each turn, by its name outside.
  [[nodiscard]] std::optional<ValueId> outside(ValueId value) const {
    const std::size_t i = position(body().arguments, value);
    if (i < body().arguments.size()) {
      const bool stays = body().ops.back().operands[i] == value;
      return stays ? std::optional(loop_.operands[i]) : std::nullopt;
    }
    return makers_.contains(value) ? std::nullopt : std::optional(value);
  }

 private:
  void add_stack(std::size_t i, ValueId left) {
    const Op* const update = maker(makers_, left);
    if (update == nullptr || update->kind != OpKind::dynamic_update_slice ||
        update->operands[0] != body().arguments[i])
      return;
    const Type& type = function_.type(update->operands[1]);
    if (type.shape.empty() || type.shape[0] != 1 || !is_of_turn(*update, 2)) return;
    ValueId value = update->operands[1];
    const Op* moved = maker(makers_, value);
    ValueId kept = value;  // of the shape that readers see
    while (moved != nullptr && (moved->kind == OpKind::reshape || is_wider_rank(*moved))) {
      stacks_.emplace(value, Place{loop_.results[i], type});
      if (kept == update->operands[1]) kept = moved->operands[0];
      moved = maker(makers_, value = moved->operands[0]);
    }
    stacks_.emplace(value, Place{loop_.results[i], type});
    left_.emplace(loop_.results[i], kept);
  }
  // Adds a dimension of one before the others.
  [[nodiscard]] bool is_wider_rank(const Op& op) const {
    if (op.kind != OpKind::broadcast_in_dim) return false;
    return std::ranges::is_sorted(op.integers("broadcast_dimensions")) &&
           function_.type(op.operands[0]).elements() == function_.type(op.results[0]).elements();
  }
  // An element of what is the same in each turn, as layers' weights are.
  void add_slice(const Op& op) {
    if (op.kind != OpKind::dynamic_slice || !is_of_turn(op, 1)) return;
    const auto whole = outside(op.operands[0]);
    const Type& type = function_.type(op.results[0]);
    if (whole && !type.shape.empty() && type.shape[0] == 1)
      stacks_.emplace(op.results[0], Place{*whole, type});
  }
  // All stacks and slices are of one place in each turn.
  bool is_of_turn(const Op& op, std::size_t first) {
    const auto place = place_of(op, first, makers_);
    if (!place) return false;
    if (!place_) place_ = place;
    return is_same(makers_, *place, *place_);
  }

  const Function& function_;
  const Op& loop_;
  Makers makers_;
  std::optional<ValueId> place_;
  std::map<ValueId, ValueId> left_;
  std::map<ValueId, Place> stacks_;
};

// Rewrites one loop that reads another one's stacks.
class Backward {
 public:
  Backward(Function& function, Op& loop, const Forward& forward)
      : function_(function), loop_(loop), forward_(forward) {}

  void run() {
    Region& body = loop_.regions.at(1);
    Makers makers;
    find_makers(body, makers);
    std::optional<ValueId> place;
    std::map<ValueId, ValueId> read;  // results of slices: the value of the forward turn
    std::map<ValueId, ValueId> stacks;
    std::size_t first = body.ops.size();
    for (std::size_t i = 0; i < body.ops.size(); ++i) {
      const Op& op = body.ops[i];
      if (op.kind != OpKind::dynamic_slice) continue;
      const auto left = forward_.left_in(outside(op.operands[0]));
      const auto at = place_of(op, 1, makers);
      if (!left || !at || function_.type(op.results[0]).shape[0] != 1) continue;
      if (!place) place = at;
      if (!is_same(makers, *at, *place)) continue;
      first = std::min(first, i);
      read.emplace(op.results[0], *left);
      stacks.emplace(op.results[0], outside(op.operands[0]));
    }
    Recipe recipe;
    const std::function<bool(ValueId)> is_kept = [&](ValueId v) { return forward_.is_there(v); };
    for (const auto& [slice, value] : read)
      add_recipe(function_, forward_.makers(), value, is_kept, recipe);
    if (recipe.ops.empty()) return;
    for (const auto& [slice, value] : read)
      add_following(function_, forward_.makers(), value, recipe);
    replace(body, first, *place, recipe, read);
    Renamed fetched;  // what is fetched already
    for (const auto& [slice, stack] : stacks) {
      if (const auto found = fetched_.find(stack); found != fetched_.end())
        fetched[slice] = found->second;
    }
    rename_operands(body, fetched);
  }

 private:
  // The name outside of the loop of what it hands on unchanged.
  [[nodiscard]] ValueId outside(ValueId value) const {
    const Region& body = loop_.regions.at(1);
    const std::size_t i = position(body.arguments, value);
    return i < body.arguments.size() && body.ops.back().operands[i] == value ? loop_.operands[i]
                                                                             : value;
  }

  // The name in the loop.
  [[nodiscard]] ValueId inside(ValueId value) const {
    for (const ValueId argument : loop_.regions.at(1).arguments) {
      if (outside(argument) == value) return argument;
    }
    return value;
  }

  void replace(Region& body, std::size_t first, ValueId place, const Recipe& recipe,
               const std::map<ValueId, ValueId>& read) {
    std::vector<Op> made;
    Renamed names;
    for (const ValueId value : recipe.read) names[value] = fetch(value, place, made);
    for (const Op* const op : recipe.ops) made.push_back(copy_of(*op, names, function_));
    Renamed slices;
    for (const Op& op : body.ops) {  // of the value's own shape already
      const auto found = op.kind == OpKind::reshape ? read.find(op.operands[0]) : read.end();
      if (found != read.end() && recipe.made.contains(found->second) &&
          function_.type(op.results[0]) == function_.type(found->second))
        slices[op.results[0]] = names.at(found->second);
    }
    for (const auto& [slice, value] : read) {
      if (!recipe.made.contains(value)) continue;
      made.push_back({.kind = OpKind::reshape,
                      .operands = {names.at(value)},
                      .results = {function_.add_value(Type(function_.type(slice)))}});
      slices[slice] = made.back().results[0];
    }
    rename_operands(body, slices);
    body.ops.insert(body.ops.begin() + static_cast<std::ptrdiff_t>(first),
                    std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  }

  // A value of the forward turn, out of its stack.
  ValueId fetch(ValueId value, ValueId place, std::vector<Op>& made) {
    const Forward::Place* const stack = forward_.stack_of(value);
    if (stack == nullptr) return *forward_.outside(value);
    Op slice{.kind = OpKind::dynamic_slice,
             .operands = {inside(stack->stack), place},
             .results = {function_.add_value(stack->type)},
             .attributes = {{"slice_sizes", {stack->type.shape}}}};
    for (std::size_t d = 1; d < stack->type.shape.size(); ++d) {
      if (d == 1) made.push_back(zero(function_.type(place)));
      slice.operands.push_back(d == 1 ? made.back().results[0] : slice.operands.back());
    }
    Op shaped{.kind = OpKind::reshape,
              .operands = slice.results,
              .results = {function_.add_value(Type(function_.type(value)))}};
    const ValueId result = shaped.results[0];
    fetched_.emplace(stack->stack, slice.results[0]);
    made.push_back(std::move(slice));
    made.push_back(std::move(shaped));
    return result;
  }
  Op zero(const Type& type) {
    Literal literal{
        .type = type,
        .content = std::vector<std::byte>(static_cast<std::size_t>(size_in_bytes(type.element)))};
    return {.kind = OpKind::constant,
            .results = {function_.add_value(Type(type))},
            .attributes = {{"value", {std::move(literal)}}}};
  }

  Function& function_;
  Op& loop_;
  const Forward& forward_;
  std::map<ValueId, ValueId> fetched_;  // slices by their stack
};

void recompute_in(Function& function, Region& region) {
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    if (region.ops[i].kind != OpKind::while_) continue;
    recompute_in(function, region.ops[i].regions.at(1));
    const Forward forward(function, region.ops[i]);
    for (std::size_t j = i + 1; j < region.ops.size(); ++j) {
      if (region.ops[j].kind == OpKind::while_) Backward(function, region.ops[j], forward).run();
    }
  }
}

// --- What nobody reads ---

using Live = std::set<ValueId>;

void add_read_by(const Op& op, Live& live) {
  std::set<ValueId> read;
  add_read(op, read);
  live.insert(read.begin(), read.end());
}

bool is_live(const Op& op, const Live& live) {
  return op.results.empty() || has_effect(op) ||
         std::ranges::any_of(op.results, [&](ValueId value) { return live.contains(value); });
}

// Drops from a loop's body what nobody reads; of what it hands on, which counts.
std::vector<bool> drop_unread_ops(Op& loop, const Live& live_outside) {
  const Region& condition = loop.regions.at(0);
  Region& body = loop.regions.at(1);
  Live decides;
  for (const Op& op : condition.ops) add_read_by(op, decides);
  std::vector<bool> counts(loop.operands.size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = live_outside.contains(loop.results[i]) || decides.contains(condition.arguments[i]);
  Live live;
  for (bool changes = true; changes;) {
    changes = false;
    live.clear();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i]) live.insert(body.ops.back().operands[i]);
    }
    for (auto op = body.ops.rbegin() + 1; op != body.ops.rend(); ++op) {
      if (is_live(*op, live)) add_read_by(*op, live);
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] || !live.contains(body.arguments[i])) continue;
      counts[i] = changes = true;
    }
  }
  std::erase_if(body.ops, [&](const Op& op) { return !is_live(op, live); });
  return counts;
}

void drop_unread_carried(Region& region, Live live) {
  for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
    if (op->kind == OpKind::while_) {
      keep_carried(*op, drop_unread_ops(*op, live));
      drop_unread_carried(op->regions.at(1), {});
    }
    add_read_by(*op, live);
  }
}

}  // namespace

bool has_effect(const Op& op) {
  switch (op.kind) {
    case OpKind::custom_call: {
      const Attribute* const effect = op.find("has_side_effect");
      const auto* const flag = effect == nullptr ? nullptr : std::get_if<bool>(&effect->value);
      return flag == nullptr || *flag;
    }
    case OpKind::call:
    case OpKind::return_: return true;
    default: return is(op.kind, Trait::host) || is(op.kind, Trait::control);
  }
}

void recompute_residuals(Module& module) {
  for (Function& function : module.functions) {
    const std::size_t values = function.types.size();
    recompute_in(function, function.body);
    if (function.types.size() > values) drop_unread_carried(function);
  }
}

void drop_unread_carried(Function& function) { drop_unread_carried(function.body, {}); }

}  // namespace trainyard::graph
