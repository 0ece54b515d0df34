// What operations read from outside of them: their operands, and what their regions read.
#pragma once

#include <algorithm>
#include <map>
#include <set>

#include "graph/module.h"

namespace trainyard::graph {

// What the operations of a region read from outside of it, added to `read`.
void add_read(const Region& region, std::set<ValueId>& read);
// The same of an operation: its operands, and what its regions read.
void add_read(const Op& op, std::set<ValueId>& read);
[[nodiscard]] std::set<ValueId> values_read(const Op& op);
// Of these the ones that only its regions read.
[[nodiscard]] std::set<ValueId> values_captured(const Op& op);

// How many operands of a region's operations, those of inner regions too, each value is.
[[nodiscard]] std::map<ValueId, int> count_operands(const Region& region);

// Whether an operation of a region, or of one inside of it, is one that `is` asks for.
template <typename F>
[[nodiscard]] bool has_op(const Region& region, const F& is) {
  return std::ranges::any_of(region.ops, [&](const Op& op) {
    return is(op) ||
           std::ranges::any_of(op.regions, [&](const Region& inner) { return has_op(inner, is); });
  });
}

// Drops operations without effect whose results nobody in a function's body reads.
void drop_unread(Region& body);

}  // namespace trainyard::graph
