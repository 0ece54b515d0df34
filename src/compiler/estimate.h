// How long an instruction takes by itself, for passes that choose an order or an engine.
#pragma once

#include "base/units.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct Estimate {
  base::Ticks engine;  // until the engine takes the next instruction
  base::Ticks result;  // until others can use what it wrote
  base::Ticks moving;  // of that, how long the DMA engines have its bytes
};

// Of a transfer: on a machine that does nothing else, its bytes spread over all DMA engines; its
// trigger follows another one.
[[nodiscard]] Estimate estimate(const isa::Program& program, std::uint32_t i, isa::Engine engine,
                                const machine::Core& core);

}  // namespace trainyard::compiler
