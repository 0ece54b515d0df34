// Runs the streams of a compiled program in an order that its semaphores allow, chosen by `seed`:
// any such order gives the same bits unless the program has a race.
#pragma once

#include <cstdint>

#include "engines/steps.h"
#include "engines/stream_walker.h"

namespace trainyard::engines {

// Throws Fault; "run.deadlock" when nothing can go on.
inline void run_interleaved(const isa::Program& program, isa::Execution& execution,
                            std::uint64_t seed, isa::Observer* observer = nullptr) {
  Steps steps(program, execution, observer);
  const std::vector<bool> dynamic = dynamic_instructions(program);
  StreamWalker(steps, dynamic).go_on_by(seed);
}

}  // namespace trainyard::engines
