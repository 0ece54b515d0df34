// What operations read from outside of them: their operands, and what their regions read.
#pragma once

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

// Drops operations without effect whose results nobody in a function's body reads.
void drop_unread(Region& body);

}  // namespace trainyard::graph
