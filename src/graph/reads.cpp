#include "graph/reads.h"

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

}  // namespace

void add_read(const Region& region, std::set<ValueId>& read) {
  std::set<ValueId> inside;
  add_read_outside(region, inside, read);
}

void add_read(const Op& op, std::set<ValueId>& read) {
  read.insert(op.operands.begin(), op.operands.end());
  for (const Region& region : op.regions) add_read(region, read);
}

}  // namespace trainyard::graph
