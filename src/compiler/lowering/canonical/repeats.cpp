#include "compiler/lowering/canonical/repeats.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/reductions.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::ValueId;

// A larger value would have to lie in HBM for its readers, which may compute it on their way.
constexpr std::int64_t bytes_max = std::int64_t{4} * 1024 * 1024;

// A result for each element, or where elements lie.
bool is_cheap(OpKind kind) {
  return graph::is(kind, graph::Trait::elementwise) || graph::is(kind, graph::Trait::arrange) ||
         graph::is(kind, graph::Trait::created);
}

using Same = std::map<ValueId, ValueId>;  // a value, and the earlier one that it repeats

std::optional<numerics::AluOp> reduced_by(const Op& op, const Function& function) {
  return reduction_of(op.regions.at(0), function.type(op.results[0]).element);
}

bool is_repeatable(const Function& function, const Op& op) {
  if (op.kind == OpKind::reduce)
    return op.results.size() == 1 && reduced_by(op, function).has_value();
  if (op.results.size() != 1 || !is_cheap(op.kind)) return false;
  const graph::Type& type = function.type(op.results[0]);
  return type.is_static() &&
         (type.bytes() <= bytes_max || graph::is(op.kind, graph::Trait::arrange));  // a view
}

// Each loop and branch for itself: what it repeats of outside costs less than keeping it.
void find_repeats(const Function& function, const graph::Region& region, Same& same) {
  std::map<std::pair<OpKind, std::vector<ValueId>>, std::vector<const Op*>> known;
  for (const Op& op : region.ops) {
    if (graph::is(op.kind, graph::Trait::control)) {
      for (const graph::Region& nested : op.regions) find_repeats(function, nested, same);
    }
    if (!is_repeatable(function, op)) continue;
    std::vector<ValueId> operands = op.operands;
    for (ValueId& operand : operands) {
      if (const auto found = same.find(operand); found != same.end()) operand = found->second;
    }
    std::vector<const Op*>& alike = known[{op.kind, std::move(operands)}];
    const auto earlier = std::ranges::find_if(alike, [&](const Op* other) {
      return function.type(other->results[0]) == function.type(op.results[0]) &&
             other->attributes == op.attributes &&
             (op.kind != OpKind::reduce ||
              reduced_by(*other, function) == reduced_by(op, function));
    });
    if (earlier == alike.end()) {
      alike.push_back(&op);
    } else {
      same[op.results[0]] = (*earlier)->results[0];
    }
  }
}

void replace(graph::Region& region, const Same& same) {
  std::erase_if(region.ops, [&](const Op& op) {
    return op.results.size() == 1 && same.contains(op.results[0]);
  });
  for (Op& op : region.ops) {
    for (ValueId& operand : op.operands) {
      if (const auto found = same.find(operand); found != same.end()) operand = found->second;
    }
    for (graph::Region& nested : op.regions) replace(nested, same);
  }
}

}  // namespace

void remove_repeats(graph::Module& module) {
  for (Function& function : module.functions) {
    Same same;
    find_repeats(function, function.body, same);
    if (!same.empty()) replace(function.body, same);
  }
}

}  // namespace trainyard::compiler
