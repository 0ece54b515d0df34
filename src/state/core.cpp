#include "state/core.h"

#include <utility>

namespace trainyard::state {

Core::Core(const CoreSizes& sizes, std::shared_ptr<Hbm> stack)
    : sbuf(sizes.partitions, sizes.sbuf_bytes_per_partition),
      psum(sizes.partitions, sizes.psum_bytes_per_partition),
      hbm(std::move(stack)),
      vector_accumulator(static_cast<std::size_t>(sizes.partitions), 0.0F),
      scalar_accumulator(static_cast<std::size_t>(sizes.partitions), 0.0F),
      vector_prng(static_cast<std::size_t>(sizes.partitions)),
      gpsimd_prng(static_cast<std::size_t>(sizes.partitions)) {
  for (auto& lanes : rounding_prng) lanes.resize(static_cast<std::size_t>(sizes.partitions));
  for (auto& file : registers) file.assign(static_cast<std::size_t>(sizes.registers_per_engine), 0);
}

}  // namespace trainyard::state
