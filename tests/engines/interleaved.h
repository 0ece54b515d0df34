// Runs the streams of a compiled program in an order that its semaphores allow, chosen by `seed`:
// any such order gives the same bits unless the program has a race.
#pragma once

#include <cstdint>

#include "engines/decoded.h"
#include "engines/stream_walker.h"

namespace trainyard::engines {

// Throws Fault; "run.deadlock" when nothing can go on.
inline void run_interleaved(const isa::Program& program, isa::Execution& execution,
                            std::uint64_t seed, isa::Observer* observer = nullptr) {
  const std::vector<Decoded> decoded = decode(program);
  StreamWalker(program, execution, decoded, observer)
      .go_on_by(seed, [&](std::uint32_t instruction, isa::Engine engine, const void* record) {
        if (observer != nullptr) observer->apply(instruction, engine, record, {});
        execution.engine = engine;
        execute_at(program, instruction, record, execution);
        if (observer != nullptr) observer->applied(instruction, record);
      });
}

}  // namespace trainyard::engines
