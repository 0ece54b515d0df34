// Who holds which bytes of SBUF and PSUM from when to when in a recorded run, and what it moved
// from and to each tensor in HBM. From the program's addresses and the times of its instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "isa/core/program.h"
#include "report/work.h"
#include "trace/timeline.h"

namespace trainyard::report {

// A tensor that the run used. In SBUF and PSUM it holds bytes_per_partition() from its address on,
// in each of its partitions, from `begin` to `end`.
struct Allocation {
  isa::TensorId tensor{};
  base::Ticks begin{};  // of the first instruction that touches it
  base::Ticks end{};    // of the last one
  BytesMoved moved{};   // by all of them
};

// In the program's order; tensors that no instruction of the run touched are left out.
[[nodiscard]] std::vector<Allocation> allocations_of(const isa::Program& program,
                                                     const trace::Timeline& timeline);

}  // namespace trainyard::report
