// Pass: the per-engine streams and the semaphores that order them. Uses as few semaphores and waits
// as the dependences allow: one semaphore from each engine or DMA queue to each engine that ever
// waits for it.
#pragma once

#include <optional>

#include "compiler/shortage.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Fills program.streams, waits, signals and semaphore_count; may append drain instructions around
// hardware loops. Addresses must be final. Returns the shortage "semaphores.capacity" when the core
// has too few.
[[nodiscard]] std::optional<Shortage> build_streams(isa::Program& program,
                                                    const machine::Core& core);

}  // namespace trainyard::compiler
