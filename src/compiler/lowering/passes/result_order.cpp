#include "compiler/lowering/passes/result_order.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "compiler/lowering/elementwise/elementwise.h"
#include "compiler/lowering/values.h"

namespace trainyard::compiler {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

void gather_by_result(const Function& function, Region& region, std::size_t few) {
  std::map<ValueId, std::size_t> definition;
  std::vector<bool> ends(region.ops.size(), true);
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    for (const ValueId value : region.ops[i].results) definition[value] = i;
  }
  for (std::size_t i = region.ops.size(); i-- > 0;) {
    const Op& op = region.ops[i];
    std::vector<Type> types;
    for (const ValueId value : op.operands) types.push_back(function.type(value));
    for (const ValueId value : op.results) types.push_back(function.type(value));
    ends[i] = ends[i] && op.regions.empty() &&
              (op.kind == OpKind::broadcast_in_dim || lowers_elementwise(op, types));
    if (ends[i] || op.kind == OpKind::return_) continue;
    for (const ValueId value : values_read(op)) {
      if (const auto found = definition.find(value); found != definition.end())
        ends[found->second] = false;
    }
  }
  if (std::ranges::count(ends, true) <= static_cast<std::ptrdiff_t>(few)) return;
  std::vector<Op> ops;
  for (std::size_t i = 0; i + 1 < region.ops.size(); ++i) {
    if (!ends[i]) ops.push_back(region.ops[i]);
  }
  std::vector<ValueId> waiting(region.ops.back().operands.rbegin(),
                               region.ops.back().operands.rend());
  while (!waiting.empty()) {  // what a value is computed from, then itself
    const auto found = definition.find(waiting.back());
    if (found == definition.end() || !ends[found->second]) {
      waiting.pop_back();
      continue;
    }
    const Op& op = region.ops[found->second];
    const std::size_t before = waiting.size();
    for (const ValueId value : op.operands) {
      const auto producer = definition.find(value);
      if (producer != definition.end() && ends[producer->second]) waiting.push_back(value);
    }
    if (waiting.size() > before) continue;
    ops.push_back(op);
    ends[found->second] = false;
    waiting.pop_back();
  }
  ops.push_back(region.ops.back());
  region.ops = std::move(ops);
}

}  // namespace trainyard::compiler
