#include "graph/reads.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/residuals.h"

namespace trainyard::graph {

namespace {

void add_read_outside(const Region& region, std::set<ValueId>& inside, std::set<ValueId>& read) {
  inside.insert(region.arguments.begin(), region.arguments.end());
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) {
      if (!inside.contains(value)) read.insert(value);
    }
    for (const Region& nested : op.regions) add_read_outside(nested, inside, read);
    inside.insert(op.results.begin(), op.results.end());
  }
}

void count_operands(const Region& region, std::map<ValueId, int>& counts) {
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) ++counts[value];
    for (const Region& nested : op.regions) count_operands(nested, counts);
  }
}

void drop_unread(Region& region, std::set<ValueId>& read) {
  std::vector<Op> kept;
  for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
    const bool is_read =
        std::ranges::any_of(op->results, [&](ValueId value) { return read.contains(value); });
    if (!is_read && !has_effect(*op)) continue;
    read.insert(op->operands.begin(), op->operands.end());
    for (Region& nested : op->regions) drop_unread(nested, read);
    kept.push_back(std::move(*op));
  }
  std::ranges::reverse(kept);
  region.ops = std::move(kept);
}

}  // namespace

void add_read(const Region& region, std::set<ValueId>& read) {
  std::set<ValueId> inside;
  add_read_outside(region, inside, read);
}

void add_read(const Op& op, std::set<ValueId>& read) { read.merge(values_read(op)); }

std::set<ValueId> values_captured(const Op& op) {
  std::set<ValueId> captured;
  for (const Region& region : op.regions) add_read(region, captured);
  return captured;
}

std::set<ValueId> values_read(const Op& op) {
  std::set<ValueId> read = values_captured(op);
  read.insert(op.operands.begin(), op.operands.end());
  return read;
}

std::map<ValueId, int> count_operands(const Region& region) {
  std::map<ValueId, int> counts;
  count_operands(region, counts);
  return counts;
}

void drop_unread(Region& body) {
  std::set<ValueId> read;
  drop_unread(body, read);
}

}  // namespace trainyard::graph
