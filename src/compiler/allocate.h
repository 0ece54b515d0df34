// Pass: gives every SBUF and PSUM tensor an address, honours those the author chose, and rewrites
// all tiles to absolute addresses.
#pragma once

#include <optional>

#include "compiler/shortage.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// What was missing ("sbuf.capacity", "psum.capacity") with what was live, or nothing. Throws
// InputError: "memory.overlap" for live tensors that share bytes, "memory.address" for a manual
// address outside the memory or off its alignment.
[[nodiscard]] std::optional<Shortage> allocate(isa::Program& program, const machine::Core& core,
                                               bool allow_overlap);

// Makes the tiles of a program whose tensors have addresses absolute, or relative to their tensors
// again.
void add_addresses(isa::Program& program);
void remove_addresses(isa::Program& program);

}  // namespace trainyard::compiler
