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
// has too few. `turns_overlap`: a turn of an innermost counted loop begins when what it needs of
// the one before has ended, rather than when all of it has.
[[nodiscard]] std::optional<Shortage> build_streams(isa::Program& program,
                                                    const machine::Core& core,
                                                    bool turns_overlap = false);

}  // namespace trainyard::compiler
