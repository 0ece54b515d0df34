// Gathers within SBUF by index lists in SBUF, as GpSimd's instructions do them: bits are moved, not
// cast. An index outside its row is undefined on the machine; here it is a Fault.
#pragma once

#include "isa/semantics/execution.h"
#include "machine/core.h"

namespace trainyard::isa::gather {

// Partitions that one GpSimd processor serves.
[[nodiscard]] inline std::int64_t group(const machine::Core& core) {
  return core.sbuf.partitions / core.gpsimd_rates.processors;
}

// dst[p, i] = row p of data at indices[p, i].
void rows(const Tile& dst, const Tile& data, const Tile& indices, Execution& execution);

// dst[p, i * length + j] = row p of data at list[i] + j, where the list of p's group is its index
// tile read partition first, and i < valid.
void local(const Tile& dst, const Tile& data, const Tile& index, std::int64_t valid,
           std::int64_t length, Execution& execution);

}  // namespace trainyard::isa::gather
