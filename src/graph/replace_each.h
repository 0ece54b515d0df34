// How most passes go over a program: operation by operation, those of regions first.
#pragma once

#include <utility>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

// `write(op, ops)` appends what stands for the operation to `ops` and returns true; where it
// returns false, the operation stays as `write` left it.
template <class Write>
void replace_each(Region& region, const Write& write) {
  std::vector<Op> ops;
  ops.reserve(region.ops.size());
  for (Op& op : region.ops) {
    for (Region& nested : op.regions) replace_each(nested, write);
    if (!write(op, ops)) ops.push_back(std::move(op));
  }
  region.ops = std::move(ops);
}

}  // namespace trainyard::graph
