// What the timed core needs to know of an instruction, computed once for each one in the program.
#pragma once

#include <cstdint>

#include "engines/activation_tables.h"
#include "engines/banks.h"
#include "engines/decoded.h"
#include "isa/core/definition.h"
#include "isa/cost/transfer.h"
#include "machine/core.h"

namespace trainyard::engines {

struct Operation {
  bool known = false;
  base::Ticks occupancy, latency;  // of a compute instruction
  base::Ticks held;                // of a control instruction: how long it holds the sequencer
  BankMask psum_read = 0, psum_written = 0;
  bool uses_bus = false;  // the SBUF bus that Vector and GpSimd share
  TableSet tables = TableSet::any;
  isa::Passes passes{};  // of the tensor engine's array; count 0 for others
  const isa::Tile* stationary = nullptr;
};

// `record` has its run-time addresses resolved where they decide a PSUM bank.
[[nodiscard]] Operation operation_of(const Decoded& decoded, const void* record, isa::Engine engine,
                                     const machine::Core& core);

}  // namespace trainyard::engines
