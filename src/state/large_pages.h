// Asks the host for large pages behind simulated memory, of which fewer faults and misses of
// address translation are taken, and gives pages back. No bit depends on the hints.
#pragma once

#include <cstddef>
#include <cstdint>

#include "state/scratchpad.h"

namespace trainyard::state {

// `used`: the bytes of each partition that a program reaches. Where it uses little, the rest would
// be cleared for nothing.
void prefer_large_pages(Scratchpad& memory, std::int64_t used);

// The whole large pages that lie in `bytes` bytes, which will all be used.
void prefer_large_pages(std::byte* first, std::int64_t bytes);

// These bytes are zero again; where they are many, the whole pages among them cost no host memory
// any more.
void give_back(std::byte* first, std::int64_t bytes);

}  // namespace trainyard::state
