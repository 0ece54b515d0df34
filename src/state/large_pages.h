// Asks the host for large pages behind a scratchpad. A program that uses most of it then takes few
// page faults and few misses of address translation; one that uses little would clear the rest for
// nothing.
#pragma once

#include <cstdint>

#include "state/scratchpad.h"

namespace trainyard::state {

// `used`: the bytes of each partition that a program reaches. Only a hint: no bit depends on it.
void prefer_large_pages(Scratchpad& memory, std::int64_t used);

}  // namespace trainyard::state
