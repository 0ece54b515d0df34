// Pass: chooses the engine of every instruction whose author left it open, and the DMA queue of
// every transfer.
#pragma once

#include <cstdint>

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// DMA transfers into SBUF are issued by Sync, all others by the policy of the machine file, so that
// a store that waits for its data does not hold up the loads behind it. Each issuer has one ring
// for loads and one for stores.
void choose_engines(isa::Program& program, const machine::Core& core);

// The DMA queue of a transfer whose engine has been chosen.
[[nodiscard]] std::uint8_t queue_of(const isa::Program& program, std::uint32_t i);

// Who that is of one transfer.
[[nodiscard]] isa::Engine issuer_of(const isa::Program& program, std::uint32_t i);

}  // namespace trainyard::compiler
