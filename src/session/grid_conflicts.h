// Before a grid runs: may its instances touch the same bytes of HBM in an order that nothing fixes?
// What is found is the author's mistake. Only addresses that are known before the run count.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "engines/checkers/finding.h"
#include "session/session.h"

namespace trainyard::session {

// Both instances write the same bytes in an order that nothing fixes.
struct Overwrites {
  bool any = false;
  // The first pair that is not on the same line: what each does, and the first one's instruction.
  std::vector<base::Side> unlike{};
  std::uint32_t instruction = 0;
};

// Throws InputError "grid.conflict" when one instance reads what the other writes and no
// core_barrier on these bytes lies between the two.
[[nodiscard]] Overwrites check_conflicts(const Instance& one, const Instance& other);

// Reports "grid.overwrite".
void report_overwrites(const Overwrites& overwrites, engines::Findings& findings);

}  // namespace trainyard::session
