#include "compiler/lowering/clusters/result_order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/elementwise.h"
#include "graph/precision.h"
#include "graph/reads.h"

namespace trainyard::compiler {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

namespace {

// Where a function ends: what hands its results on.
std::size_t first_of_end(const Region& region) {
  std::size_t last = region.ops.size();
  while (last > 0 &&
         (region.ops[last - 1].kind == OpKind::return_ || graph::is_held(region.ops[last - 1])))
    --last;
  return last;
}

}  // namespace

void gather_by_result(const Function& function, Region& region, std::size_t few) {
  const std::size_t last = first_of_end(region);
  std::map<ValueId, std::size_t> definition;
  std::multimap<ValueId, std::size_t> converted;
  std::vector<bool> ends(last, true);
  for (std::size_t i = 0; i < last; ++i) {
    for (const ValueId value : region.ops[i].results) definition[value] = i;
    if (region.ops[i].kind == OpKind::convert) converted.emplace(region.ops[i].operands[0], i);
  }
  for (std::size_t i = last; i-- > 0;) {
    const Op& op = region.ops[i];
    std::vector<Type> types;
    for (const ValueId value : op.operands) types.push_back(function.type(value));
    for (const ValueId value : op.results) types.push_back(function.type(value));
    ends[i] = ends[i] && op.regions.empty() &&
              (op.kind == OpKind::broadcast_in_dim || lowers_elementwise(op, types));
    if (ends[i]) continue;
    for (const ValueId value : values_read(op)) {
      if (const auto found = definition.find(value); found != definition.end())
        ends[found->second] = false;
    }
  }
  if (std::ranges::count(ends, true) <= static_cast<std::ptrdiff_t>(few)) return;
  std::vector<Op> ops;
  for (std::size_t i = 0; i < last; ++i) {
    if (!ends[i]) ops.push_back(region.ops[i]);
  }
  std::vector<ValueId> waiting;
  for (std::size_t i = last; i < region.ops.size(); ++i) {
    const std::vector<ValueId>& read = region.ops[i].operands;
    waiting.insert(waiting.begin(), read.rbegin(), read.rend());
  }
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
    const auto take = [&](std::size_t number) {
      ops.push_back(region.ops[number]);
      ends[number] = false;
    };
    take(found->second);
    waiting.pop_back();
    for (const ValueId value : op.results) {  // what memory holds of it
      const auto [first, behind] = converted.equal_range(value);
      for (auto each = first; each != behind; ++each) {
        if (ends[each->second]) take(each->second);
      }
    }
  }
  std::copy(region.ops.begin() + static_cast<std::ptrdiff_t>(last), region.ops.end(),
            std::back_inserter(ops));
  region.ops = std::move(ops);
}

}  // namespace trainyard::compiler
