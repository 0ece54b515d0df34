#include "state/scratchpad.h"

namespace trainyard::state {

Scratchpad::Scratchpad(int partitions, std::int64_t bytes_per_partition)
    : partitions_(partitions),
      bytes_per_partition_(bytes_per_partition),
      pages_(partitions * stride()),
      written_(partitions * bytes_per_partition) {}

}  // namespace trainyard::state
