// Where what lies in a slot of a lowered program is read for the last time.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "compiler/lowering/emit/lowered.h"

namespace trainyard::session {

using Slots = std::set<compiler::SlotId>;

// Slots that hold what nobody reads any more.
struct SlotEnds {
  std::vector<compiler::SlotId> before{};  // a loop turns: its state begins as what they hold
  std::vector<compiler::SlotId> behind{};  // the step
};
// By step; those that stand in loops and branches, too.
[[nodiscard]] std::map<const compiler::Step*, SlotEnds> slot_ends(const compiler::Lowered& lowered);

}  // namespace trainyard::session
