// Which tensors must start at the same partition, and which may start at another than 0.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct PartitionGroups {
  // For each tensor a number above 0 that those it must start with share; 0: it stays where it is.
  std::vector<std::uint32_t> group;
  // For each tensor the partitions that a start of its group is a multiple of.
  std::vector<int> step;
};

// SBUF tensors of at most half of the partitions may move where every instruction that touches them
// works lane by lane: its inputs lie on the same partitions, its result on any.
[[nodiscard]] PartitionGroups partition_groups(const isa::Program& program,
                                               const machine::Core& core);

}  // namespace trainyard::compiler
