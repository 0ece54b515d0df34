// Runs a schedule on values: the bytes that each rank ends up with. Arrivals of one step are added
// in FP32, in the order of their sources, and rounded once to the buffer's format, as the machine's
// DMA engines do.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fabric/schedule.h"
#include "numerics/dtype.h"

namespace trainyard::fabric {

using Buffer = std::vector<std::byte>;

// `inputs`: one a rank of the group, all of one length: the shard for an all-gather, else the whole
// buffer. Returns what each rank holds: the sum, its piece of the sum, all shards, what was sent to
// it. Throws InputError "fabric.values" where elements do not divide among the ranks.
[[nodiscard]] std::vector<Buffer> execute(const Schedule& schedule, CollectiveOp operation,
                                          numerics::DType dtype, std::span<const Buffer> inputs,
                                          std::int32_t root = 0);

}  // namespace trainyard::fabric
