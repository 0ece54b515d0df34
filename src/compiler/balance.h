// Pass: copies and scalings that may run on Vector or on Scalar go to the one that is done first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Instructions whose engine the author left open; asked for before engines are chosen.
[[nodiscard]] std::vector<bool> open_engines(const isa::Program& program);

// Moves some of the `open` instructions from Vector to Scalar, as activations where the machine's
// Scalar engine knows only these. Results are the same bits. The body of a loop counts as one
// iteration.
void balance_engines(isa::Program& program, const machine::Core& core,
                     const std::vector<bool>& open);

// What the engines have to do for instructions that overlap, and the DMA engines for their bytes.
struct EngineLoads {
  std::array<base::Ticks, isa::engine_count> busy{};
  base::Ticks moving;
  [[nodiscard]] base::Ticks& of(isa::Engine engine) {
    return busy.at(static_cast<std::size_t>(engine));
  }
};

// Of the instructions from `first` on that are open, some go from Vector to Scalar so that the one
// that takes longer is done sooner: for a tile whose like comes `before` or follows, so that all of
// them overlap.
void spread_engines(isa::Program& program, std::uint32_t first, const machine::Core& core,
                    const EngineLoads& before = {});
// Likewise, sums and products of pairs of real numbers go from Vector to GpSimd.
void spread_pairs(isa::Program& program, std::uint32_t first, const machine::Core& core,
                  const EngineLoads& before = {});
// Where GpSimd computes so much that it holds up the DMA engines, Sync issues some of its
// transfers. Returns the loads with these instructions.
EngineLoads spread_transfers(isa::Program& program, std::uint32_t first, const machine::Core& core,
                             EngineLoads before = {});

}  // namespace trainyard::compiler
