// The report of a run that stopped although streams are unfinished: which engine waits for what,
// and where in the author's source both sides stand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/semaphores.h"
#include "isa/core/program.h"

namespace trainyard::engines {

// An engine that cannot go on: the stream item it stands at.
struct Stuck {
  isa::Engine engine = isa::Engine::any;
  std::size_t position = 0;
};

// Throws Fault deadlock. `when` is a time for the message, or empty.
[[noreturn]] void throw_deadlock(const isa::Program& program, const Semaphores& semaphores,
                                 std::span<const Stuck> stuck, const std::string& when);

}  // namespace trainyard::engines
