// Faults as a user writes them: "link:5.twin@10us=down", "link:5.x+@0us=x0.5", "chip:7@1ms=down",
// "switch:rack.1@10us=down", "rank:3@0us=x0.25" (slow), "rank:3@50us=late".
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fabric/select.h"

namespace trainyard::fabric {

// Adds it to the options of a run. Throws InputError "fabric.fault" with what is known.
void add_fault(const Network& network, std::string_view text, Options& options);

// "10us" of the fault `all`. Throws like add_fault().
[[nodiscard]] base::Ticks fault_time(std::string_view text, std::string_view all);

}  // namespace trainyard::fabric
