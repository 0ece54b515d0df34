// What a sequencer needs to know of an instruction to issue it on its engine.
#pragma once

#include <cstdint>
#include <optional>

#include "engines/activation_tables.h"
#include "engines/banks.h"
#include "engines/work.h"
#include "isa/core/definition.h"
#include "isa/core/program.h"
#include "isa/cost/transfer.h"
#include "machine/core.h"

namespace trainyard::engines {

struct Operation {
  // As the instruction stands in the program: without costs where an address is computed at run
  // time.
  Operation(const isa::Program& program, std::uint32_t instruction, isa::Engine engine,
            const machine::Core& core);

  const isa::InstructionInfo* info = nullptr;
  bool is_dynamic = false;  // an address is computed at run time: the costs below are of one run
  std::uint8_t words = 0;   // that its sequencer reads from SBUF to compute addresses
  isa::DescriptorMaker maker{};                     // of a transfer
  isa::Encounter encounter = isa::Encounter::none;  // with other cores
  bool uses_bus = false;                            // the SBUF bus that Vector and GpSimd share
  TableSet tables = TableSet::any;
  BankMask psum_read = 0, psum_written = 0;
  base::Ticks occupancy{}, latency{};   // of no transfer
  Work work{};                          // of each run
  std::optional<isa::Passes> passes{};  // of the tensor engine's array; nothing for others
};

// The costs of one run of it, whose record has its run-time addresses resolved.
[[nodiscard]] Operation resolved(const Operation& operation, const void* written,
                                 const void* record, isa::Engine engine, const machine::Core& core);

}  // namespace trainyard::engines
