// How long an instruction takes by itself, for passes that choose an order or an engine.
#pragma once

#include <array>

#include "base/units.h"
#include "isa/core/program.h"
#include "isa/cost/transfer.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct Estimate {
  base::Ticks engine;  // until the engine takes the next instruction
  base::Ticks result;  // until others can use what it wrote
  base::Ticks moving;  // of that, how long the DMA engines have its bytes
};

// Of a transfer, for the choice of engines: on a machine that does nothing else, its bytes spread
// over all DMA engines as if they lay side by side; its trigger follows another one.
[[nodiscard]] Estimate estimate(const isa::Program& program, std::uint32_t i, isa::Engine engine,
                                const machine::Core& core);
// How long a transfer holds the engine that triggers it.
[[nodiscard]] base::Ticks estimate_issue(const isa::Program& program, std::uint32_t i,
                                         isa::Engine engine, bool behind_another,
                                         const machine::Core& core);

// The same for orders: how long each DMA engine has the pieces of a transfer, and what else passes
// before others can use what it wrote.
struct TransferEstimate {
  std::array<base::Ticks, isa::dma_engines_max> moving{};
  base::Ticks before, after;
};
[[nodiscard]] TransferEstimate estimate_transfer(const isa::Program& program, std::uint32_t i,
                                                 const machine::Core& core);

}  // namespace trainyard::compiler
