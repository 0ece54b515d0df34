#include "engines/tensor_pipe.h"

#include <algorithm>

namespace trainyard::engines {

using base::Ticks;

TensorPipe::Plan TensorPipe::run(Ticks now, const isa::Passes& passes, bool reuses) {
  const machine::PeArray& array = core_.array;
  const base::Clock clock = core_.tensor.clock;
  Plan plan{};
  Ticks lost{0};
  for (std::int64_t pass = 0; pass < passes.count; ++pass) {
    Ticks loaded = now;
    // FP32 loads the low and the high half of one operand in turn, so only a single pass can be
    // reused.
    if (!reuses || passes.count > 1) {
      const Ticks from = std::max(now, array.load_in_background ? load_free_ : array_free_);
      // The array's clock limit holds for loads too; their activity is not counted.
      loaded = from + throttle_.slowed(clock(passes.load));
      if (pass == 0) plan.begin = std::max(from, array_free_);
    } else if (pass == 0) {
      plan.begin = std::max(now, array_free_);
    }
    const Ticks start = std::max(loaded, array_free_);
    const base::Cycles length =
        std::max(passes.move, core_.tensor.min_interval) + array.matmul_overhead;
    const Throttle::Run run = throttle_.run(start, clock(length));
    lost += run.lost;
    // The next stationary operand may take this one's place as soon as this one is in use.
    load_free_ = start;
    plan.moved = start;
    array_free_ = run.end;
  }
  plan.end = array_free_;
  plan.worked = array_free_ - lost;
  // A result is there as soon as its own columns are through, however long the array is kept.
  plan.commit = plan.moved + throttle_.slowed(clock(passes.move + array.matmul_overhead)) +
                clock(array.fill) + throttle_.slowed(clock(array.drain));
  plan.next = load_free_;
  return plan;
}

}  // namespace trainyard::engines
