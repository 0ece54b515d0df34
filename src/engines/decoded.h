// A program's instructions as the runners want them: looked up once, with what does not change from
// one execution to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/core/program.h"
#include "isa/semantics/execution.h"

namespace trainyard::engines {

struct Decoded {
  const isa::InstructionInfo* info = nullptr;
  const void* record = nullptr;
  bool is_dynamic = false;  // an address is computed at run time
  std::uint8_t words = 0;   // that its sequencer reads from SBUF to compute addresses
};

// By instruction. The program must outlive the result and keep its instructions.
[[nodiscard]] std::vector<Decoded> decode(const isa::Program& program);

// Room for a record whose run-time addresses are resolved.
struct RecordBuffer {
  alignas(std::max_align_t) std::byte bytes[isa::record_bytes_max];
};

// What resolve() and execute() do, with the place of the instruction added to a Fault, which they
// do not know.
void resolve_at(const isa::Program& program, std::uint32_t instruction, isa::Engine engine,
                isa::Execution& execution, void* resolved);
void execute_at(const isa::Program& program, std::uint32_t instruction, const void* record,
                isa::Execution& execution);

}  // namespace trainyard::engines
