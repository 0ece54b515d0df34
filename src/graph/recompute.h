// Large values that are read again much later (behind a collective, in another loop) cost more to
// keep than to compute again, where what they follow from is much smaller: the scores of attention
// follow from queries and keys.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

// The operations that make values from others, of a function or a region.
using Makers = std::map<ValueId, const Op*>;
// What copies of values are called.
using Renamed = std::map<ValueId, ValueId>;

// The operations behind a value, in an order in which they can run.
struct Recipe {
  std::vector<const Op*> ops{};
  std::set<ValueId> made{};  // by them
  std::set<ValueId> read{};  // from elsewhere
};

// What computes the value again: from values that `is_kept` says are there, all much smaller than
// it, with little arithmetic for each byte that need not be kept. False where keeping it is better;
// the recipe is then as it was.
bool add_recipe(const Function& function, const Makers& makers, ValueId value,
                const std::function<bool(ValueId)>& is_kept, Recipe& recipe);

// Adds what computes a small value again where it follows from what the recipe makes.
bool add_following(const Function& function, const Makers& makers, ValueId value, Recipe& recipe);

// A copy whose results and regions have values of their own; operands are renamed.
[[nodiscard]] Op copy_of(const Op& op, Renamed& names, Function& function);

// The operands in a region that are called otherwise.
void rename_operands(Region& region, const Renamed& names);

// A loop that hands on only what is kept, of what it handed on.
void keep_carried(Op& loop, const std::vector<bool>& kept);

// In a region that is cut at some operations: what one part computes and a later one reads is
// computed there again.
void recompute_across(Function& function, Region& region,
                      const std::function<bool(const Op&)>& cuts);

}  // namespace trainyard::graph
