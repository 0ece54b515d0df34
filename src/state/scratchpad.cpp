#include "state/scratchpad.h"

#include "base/hash.h"

namespace trainyard::state {

Scratchpad::Scratchpad(int partitions, std::int64_t bytes_per_partition)
    : partitions_(partitions),
      bytes_per_partition_(bytes_per_partition),
      pages_(partitions * stride()),
      written_(partitions * bytes_per_partition) {}

std::uint64_t Scratchpad::hash() const {
  return base::hash_bytes({pages_.data(), static_cast<std::size_t>(pages_.size())});
}

}  // namespace trainyard::state
