// Before a grid runs: may its instances touch the same bytes of HBM in an order that nothing fixes?
// What is found is the author's mistake. Only addresses that are known before the run count.
#pragma once

#include "session/session.h"

namespace trainyard::session {

// Throws InputError "grid.conflict" when one instance reads what the other writes and no
// core_barrier on these bytes lies between the two. Returns whether both write some bytes in an
// order that nothing fixes; they are taken to write the same values.
[[nodiscard]] bool check_conflicts(const Instance& one, const Instance& other);

}  // namespace trainyard::session
