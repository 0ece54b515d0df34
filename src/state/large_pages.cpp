#include "state/large_pages.h"

#include <sys/mman.h>

namespace trainyard::state {

void prefer_large_pages(Scratchpad& memory, std::int64_t used) {
  if (2 * used < memory.bytes_per_partition()) return;
  // A host that has no large pages refuses, which changes nothing.
  (void)::madvise(memory.row(0), static_cast<std::size_t>(memory.partitions() * memory.stride()),
                  MADV_HUGEPAGE);
}

}  // namespace trainyard::state
