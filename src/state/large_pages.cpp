#include "state/large_pages.h"

#include <sys/mman.h>

#include "base/units.h"

namespace trainyard::state {

namespace {

// Of every host that has large pages at all, at least this.
constexpr std::int64_t large_page = 2 << 20;

}  // namespace

void prefer_large_pages(Scratchpad& memory, std::int64_t used) {
  if (2 * used < memory.bytes_per_partition()) return;
  // A host that has no large pages refuses, which changes nothing.
  (void)::madvise(memory.row(0), static_cast<std::size_t>(memory.partitions() * memory.stride()),
                  MADV_HUGEPAGE);
}

void prefer_large_pages(std::byte* first, std::int64_t bytes) {
  const auto from = reinterpret_cast<std::intptr_t>(first);
  const std::int64_t skipped = base::round_up(from, large_page) - from;
  const std::int64_t inside = (bytes - skipped) / large_page * large_page;
  if (inside <= 0) return;
  (void)::madvise(first + skipped, static_cast<std::size_t>(inside), MADV_HUGEPAGE);
}

}  // namespace trainyard::state
