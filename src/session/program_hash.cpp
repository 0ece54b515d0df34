#include "session/program_hash.h"

#include "isa/forms/binary.h"

namespace trainyard::session {

std::uint64_t program_hash(isa::Program program) {
  for (isa::Instruction& instruction : program.instructions) instruction.location = 0;
  for (isa::Tensor& tensor : program.tensors) tensor.location = 0;
  program.locations.resize(1);
  program.frames.resize(1);
  program.strings.resize(1);
  program.loop_indices.clear();
  return isa::binary_hash(program);
}

}  // namespace trainyard::session
