#include "graph/recompute.h"

#include <algorithm>
#include <utility>

namespace trainyard::graph {

namespace {

constexpr std::int64_t bytes_min = 1 << 20;  // smaller values pass on chip, or nearly
constexpr std::int64_t read_smaller = 8;     // what is read instead
constexpr std::int64_t flops_max = 128;      // for each byte that is neither written nor read
constexpr std::size_t recipe_ops_max = 96;
constexpr std::size_t seen_max = 16;  // operations between a small value and what it follows from

// Follows from its operands alone, in a pass over them or in a product.
bool may_repeat(const Op& op) {
  if (op.results.size() != 1) return false;
  switch (op.kind) {
    case OpKind::concatenate:
    case OpKind::dot_general:
    case OpKind::pad:
    case OpKind::reduce: return true;
    case OpKind::constant:
      return op.literal("value").splat || op.literal("value").type.elements() == 1;
    default:
      return is(op.kind, Trait::elementwise) || is(op.kind, Trait::arrange) ||
             is(op.kind, Trait::created);
  }
}

class Collecting {
 public:
  Collecting(const Function& function, const Makers& makers, ValueId value,
             const std::function<bool(ValueId)>& is_kept, Recipe& recipe)
      : function_(function),
        makers_(makers),
        is_kept_(is_kept),
        recipe_(recipe),
        limit_(function.type(value).elements() / read_smaller),
        flops_left_(2 * flops_max * function.type(value).bytes()) {}

  // A small value is added only where it follows from what is made again.
  bool add_following(ValueId value) {
    std::set<ValueId> seen;
    return follows(value, seen) && add_made(value);
  }

  bool add(ValueId value) {
    if (recipe_.made.contains(value)) return true;
    const Type& type = function_.type(value);
    if (type.kind != Type::Kind::tensor || !type.is_static()) return false;
    if (type.elements() <= limit_) return add_small(value);
    return add_made(value);
  }

 private:
  [[nodiscard]] const Op* maker(ValueId value) const {
    const auto found = makers_.find(value);
    return found == makers_.end() || !may_repeat(*found->second) ? nullptr : found->second;
  }

  bool add_made(ValueId value) {
    const Op* const op = maker(value);
    if (op == nullptr || recipe_.ops.size() >= recipe_ops_max) return false;
    if (op->kind == OpKind::dot_general) {
      std::int64_t depth = 1;
      for (const std::int64_t dim : op->integers("lhs_contracting_dimensions"))
        depth *= function_.type(op->operands[0]).shape[static_cast<std::size_t>(dim)];
      flops_left_ -= 2 * depth * function_.type(value).elements();
      if (flops_left_ < 0) return false;
    }
    if (!std::ranges::all_of(op->operands, [&](ValueId each) { return add(each); })) return false;
    if (recipe_.made.insert(value).second) recipe_.ops.push_back(op);
    return true;
  }

  // Made again, too, where it follows from what is made again (the sum of a row of scores).
  bool add_small(ValueId value) {
    std::set<ValueId> seen, constant;
    if (follows(value, seen) || is_constant(value, constant)) return add_made(value);
    if (is_kept_(value)) {
      recipe_.read.insert(value);
      return true;
    }
    const std::int64_t left = std::exchange(flops_left_, 0);  // no product for its sake
    const bool is_made = add_made(value);
    flops_left_ = left;
    return is_made;
  }
  // Follows from constants in a few light operations, as a mask does.
  bool is_constant(ValueId value, std::set<ValueId>& seen) const {
    const Op* const op = maker(value);
    if (op == nullptr || op->kind == OpKind::dot_general || !op->regions.empty()) return false;
    if (!seen.insert(value).second) return true;
    return seen.size() <= seen_max &&
           std::ranges::all_of(op->operands, [&](ValueId each) { return is_constant(each, seen); });
  }
  bool follows(ValueId value, std::set<ValueId>& seen) const {
    if (recipe_.made.contains(value)) return true;
    const Op* const op = maker(value);
    if (op == nullptr || seen.size() > seen_max || !seen.insert(value).second) return false;
    return std::ranges::any_of(op->operands, [&](ValueId each) { return follows(each, seen); });
  }

  const Function& function_;
  const Makers& makers_;
  const std::function<bool(ValueId)>& is_kept_;
  Recipe& recipe_;
  std::int64_t limit_, flops_left_;
};

void rename(Op& op, const Renamed& names) {
  for (ValueId& value : op.operands) {
    if (const auto found = names.find(value); found != names.end()) value = found->second;
  }
  for (Region& region : op.regions) rename_operands(region, names);
}

ValueId fresh_value(ValueId value, Renamed& names, Function& function) {
  const ValueId made = function.add_value(Type(function.type(value)));
  names.insert_or_assign(value, made);
  return made;
}

}  // namespace

void rename_operands(Region& region, const Renamed& names) {
  for (Op& op : region.ops) rename(op, names);
}

bool add_recipe(const Function& function, const Makers& makers, ValueId value,
                const std::function<bool(ValueId)>& is_kept, Recipe& recipe) {
  const Type& type = function.type(value);
  if (type.kind != Type::Kind::tensor || !type.is_static() || type.bytes() < bytes_min)
    return false;
  Recipe trial = recipe;
  if (!Collecting(function, makers, value, is_kept, trial).add(value)) return false;
  recipe = std::move(trial);
  return true;
}

bool add_following(const Function& function, const Makers& makers, ValueId value, Recipe& recipe) {
  Recipe trial = recipe;
  const auto always = [](ValueId) { return true; };
  if (!Collecting(function, makers, value, always, trial).add_following(value)) return false;
  recipe = std::move(trial);
  return true;
}

Op copy_of(const Op& op, Renamed& names, Function& function) {
  Op copy = op;
  for (ValueId& value : copy.operands) {
    if (const auto found = names.find(value); found != names.end()) value = found->second;
  }
  for (std::size_t r = 0; r < op.regions.size(); ++r) {
    Region& region = copy.regions[r];
    for (ValueId& argument : region.arguments) argument = fresh_value(argument, names, function);
    region.ops.clear();
    for (const Op& inner : op.regions[r].ops) region.ops.push_back(copy_of(inner, names, function));
  }
  for (ValueId& value : copy.results) value = fresh_value(value, names, function);
  return copy;
}

void keep_carried(Op& loop, const std::vector<bool>& kept) {
  Region &condition = loop.regions.at(0), &body = loop.regions.at(1);
  for (std::vector<ValueId>* const each : {&loop.operands, &loop.results, &condition.arguments,
                                           &body.arguments, &body.ops.back().operands}) {
    std::size_t i = 0;
    std::erase_if(*each, [&](ValueId) { return !kept[i++]; });
  }
}

void recompute_across(Function& function, Region& region,
                      const std::function<bool(const Op&)>& cuts) {
  Makers makers;
  std::map<ValueId, std::size_t> made_in;  // part
  std::size_t part = 0;
  for (const Op& op : region.ops) {
    const bool is_cut = cuts(op);
    for (const ValueId value : op.results) {
      if (!is_cut) makers.emplace(value, &op);
      made_in.emplace(value, part);
    }
    if (is_cut) ++part;
  }
  if (part == 0) return;
  const auto always = [](ValueId) { return true; };
  std::vector<Op> ops;
  Recipe recipe;
  std::set<ValueId> crossing;  // what the part at hand reads of earlier ones
  std::vector<Op> waiting;     // of the part at hand
  part = 0;
  const auto end_part = [&] {
    Renamed names;
    for (const ValueId value : crossing) add_following(function, makers, value, recipe);
    crossing.clear();
    for (const Op* const op : recipe.ops) ops.push_back(copy_of(*op, names, function));
    for (Op& op : waiting) {
      rename(op, names);
      ops.push_back(std::move(op));
    }
    waiting.clear();
    recipe = {};
  };
  for (const Op& op : region.ops) {
    const bool is_cut = cuts(op), is_end = op.kind == OpKind::return_;
    if (is_cut || is_end) {
      end_part();
      ops.push_back(op);
      ++part;
      continue;
    }
    for (const ValueId value : op.operands) {
      const auto made = made_in.find(value);
      if (made == made_in.end() || made->second == part) continue;
      crossing.insert(value);
      add_recipe(function, makers, value, always, recipe);
    }
    waiting.push_back(op);
  }
  region.ops = std::move(ops);
}

}  // namespace trainyard::graph
