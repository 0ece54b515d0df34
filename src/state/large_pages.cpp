#include "state/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/units.h"

namespace trainyard::state {

namespace {

// Of every host that has large pages at all, at least this.
constexpr std::int64_t large_page = 2 << 20;
// To clear so much takes less than the call that gives it back and the faults of its next use.
constexpr std::int64_t cheap_to_clear = 16 << 10;

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

void give_back(std::byte* first, std::int64_t bytes) {
  if (bytes <= cheap_to_clear) {
    std::memset(first, 0, static_cast<std::size_t>(bytes));
    return;
  }
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  const auto from = reinterpret_cast<std::intptr_t>(first);
  const std::int64_t begin = std::min(base::round_up(from, page) - from, bytes);
  const std::int64_t end = std::max(begin, (from + bytes) / page * page - from);
  std::memset(first, 0, static_cast<std::size_t>(begin));
  std::memset(first + end, 0, static_cast<std::size_t>(bytes - end));
  if (begin == end) return;
  base::check(::madvise(first + begin, static_cast<std::size_t>(end - begin), MADV_DONTNEED) == 0,
              "the host takes pages back");
}

}  // namespace trainyard::state
