#include "compiler/lowering/canonical/sort_keys.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/region_values.h"
#include "graph/recompute.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::ValueId;

// The comparison by the first key, and what decides where that is equal.
struct Keys {
  ValueId first, others;
};

// Whether elements that are equal are those of which neither is less.
bool is_total(const Op& compare, const Function& function) {
  return !graph::is_float(function.type(compare.operands[0]).element) ||
         compare.text("compare_type") == "TOTALORDER";
}

// first = x < y, of which the answer is first or (x == y and others).
std::optional<Keys> keys_of(const Region& region, const Function& function) {
  if (region.ops.empty() || region.ops.back().operands.size() != 1) return std::nullopt;
  const RegionValues values(region);
  const Op* const answer = values.of(region.ops.back().operands[0], OpKind::or_);
  for (const std::size_t side : {0U, 1U}) {
    if (answer == nullptr) break;
    const Op* const less = values.of(answer->operands[side], OpKind::compare);
    const Op* const tied = values.of(answer->operands[1 - side], OpKind::and_);
    if (less == nullptr || tied == nullptr || !is_total(*less, function) ||
        less->text("comparison_direction") != "LT")
      continue;
    for (const std::size_t part : {0U, 1U}) {
      const Op* const equal = values.of(tied->operands[part], OpKind::compare);
      if (equal != nullptr && equal->text("comparison_direction") == "EQ" &&
          equal->operands == less->operands)
        return Keys{less->results[0], tied->operands[1 - part]};
    }
  }
  return std::nullopt;
}

// Leaves in the region what that answer needs.
void answer_with(Region& region, ValueId answer) {
  region.ops.back().operands = {answer};
  std::set<ValueId> read;
  std::vector<Op> kept;
  for (std::size_t i = region.ops.size(); i-- > 0;) {
    Op& op = region.ops[i];
    const bool is_read =
        op.kind == OpKind::return_ ||
        std::ranges::any_of(op.results, [&](ValueId v) { return read.contains(v); });
    if (!is_read) continue;
    read.insert(op.operands.begin(), op.operands.end());
    kept.push_back(std::move(op));
  }
  std::ranges::reverse(kept);
  region.ops = std::move(kept);
}

void make_stable(Op& sort) {
  std::erase_if(sort.attributes, [](const auto& each) { return each.name == "is_stable"; });
  sort.attributes.push_back({"is_stable", {true}});
}

// Where a comparison reads one operand alone, that one comes first.
void put_key_first(Op& sort) {
  std::vector<ValueId>& arguments = sort.regions[0].arguments;
  std::set<std::size_t> keys;
  for (const Op& op : sort.regions[0].ops) {
    for (const ValueId value : op.operands) {
      const auto found = std::ranges::find(arguments, value);
      if (found != arguments.end())
        keys.insert(static_cast<std::size_t>(found - arguments.begin()) / 2);
    }
  }
  if (keys.size() != 1 || *keys.begin() == 0) return;
  const std::size_t key = *keys.begin();
  std::swap(sort.operands[0], sort.operands[key]);
  std::swap(sort.results[0], sort.results[key]);
  std::swap(arguments[0], arguments[2 * key]);
  std::swap(arguments[1], arguments[2 * key + 1]);
}

// Appends the sorts by each key.
void append_sorts(std::vector<Op>& ops, Op sort, Function& function) {
  const std::optional<Keys> keys = keys_of(sort.regions[0], function);
  if (keys) {
    graph::Renamed names;
    Op before = graph::copy_of(sort, names, function);
    const auto renamed = names.find(keys->others);
    answer_with(before.regions[0], renamed != names.end() ? renamed->second : keys->others);
    make_stable(before);
    sort.operands = before.results;
    append_sorts(ops, std::move(before), function);
    answer_with(sort.regions[0], keys->first);
    make_stable(sort);
  }
  put_key_first(sort);
  ops.push_back(std::move(sort));
}

void sort_by_one_key(Region& region, Function& function) {
  std::vector<Op> ops;
  for (Op& op : region.ops) {
    if (op.kind == OpKind::sort) {
      append_sorts(ops, std::move(op), function);
      continue;
    }
    for (Region& inner : op.regions) sort_by_one_key(inner, function);
    ops.push_back(std::move(op));
  }
  region.ops = std::move(ops);
}

}  // namespace

void sort_by_one_key(graph::Module& module) {
  for (Function& function : module.functions) sort_by_one_key(function.body, function);
}

}  // namespace trainyard::compiler
