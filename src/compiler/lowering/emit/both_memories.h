// Values between the instructions of one tile that go to PSUM: Vector reads a pair of float32 tiles
// faster where each memory gives it one.
#pragma once

#include <cstdint>
#include <span>

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Of the tensors from `tensor` on, which instructions from `first` on make and read, all but
// those `kept`, which others read.
void use_both_memories(isa::Program& program, std::uint32_t first, isa::TensorId tensor,
                       std::span<const isa::TensorId> kept, const machine::Core& core);

}  // namespace trainyard::compiler
