// Pass: transfers of neighbouring tiles, which one source line asks for one after the other, become
// one transfer.
#pragma once

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Joins loads, and then stores, whose HBM sides lie one step apart and whose SBUF sides lie, or are
// made to lie, side by side: up to 4 KiB of a partition, as in the public profiles of
// trainium-kernel-fusion on Trn2 (stores of 4 and 8 tiles, loads and stores of 2). The joined load
// stands where the first one stood, the joined store where the last one did; nothing in between may
// touch what moves. Only where the machine makes descriptors by hardware, a trigger at a time
// (Trainium2 and later); no profile of Trn1 shows it. Programs with branches, meetings or
// explicit edges stay as they are.
void join_transfers(isa::Program& program, const machine::Core& core);

}  // namespace trainyard::compiler
