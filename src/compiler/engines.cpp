#include "compiler/engines.h"

#include "isa/cost/transfer.h"
#include "isa/semantics/meeting.h"

namespace trainyard::compiler {

namespace {

using isa::Engine;
using isa::Instruction;
using isa::Kind;
using isa::Tile;

// How many partitions hold the indices of an .indirect() view depends on the engine. A view that
// engines of both kinds use becomes two.
void group_indices(isa::Program& program, std::uint32_t i, const machine::Core& core) {
  const std::int64_t group = program.instructions[i].engine == Engine::tensor
                                 ? core.access.indirect_group_tensor
                                 : core.access.indirect_group;
  program.for_each_tile_mutable(i, [&](Tile& tile) {
    if (tile.dynamic == 0) return;
    isa::DynamicAddress& how = program.dynamics[tile.dynamic - 1];
    if (how.kind != isa::DynamicAddress::Kind::indirect || how.stride == group) return;
    if (how.stride == 0) {
      how.stride = group;
      return;
    }
    isa::DynamicAddress other = how;
    other.stride = group;
    program.dynamics.push_back(other);
    tile.dynamic = static_cast<std::uint32_t>(program.dynamics.size());
  });
}

}  // namespace

std::uint8_t queue_of(const isa::Program& program, std::uint32_t i) {
  if (program.info_at(i).meeting != nullptr)
    return static_cast<std::uint8_t>(isa::meeting_of(program, i).channel);
  return isa::queue_of(program.instructions[i].engine,
                       isa::goes_into_sbuf(program.info_at(i), program.record(i)));
}

Engine issuer_of(const isa::Program& program, std::uint32_t i) {
  const isa::InstructionInfo& info = program.info_at(i);
  const void* const record = program.record(i);
  if (isa::needs_software(info, record)) return Engine::gpsimd;
  if (isa::goes_into_sbuf(info, record)) return Engine::sync;
  const isa::DgeMode* const mode = info.first<isa::DgeMode>(record);
  return mode != nullptr && *mode == isa::DgeMode::hwdge ? Engine::scalar : Engine::gpsimd;
}

void choose_engines(isa::Program& program, const machine::Core& core) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    Instruction& instruction = program.instructions[i];
    const isa::InstructionInfo& info = program.info_at(i);
    if (info.kind == Kind::control) continue;  // runs on every engine that needs it
    if (instruction.engine == Engine::any) {
      const bool by_shape = info.kind == Kind::dma && info.meeting == nullptr;
      instruction.engine = by_shape ? issuer_of(program, i) : info.choose(program.record(i), core);
    }
    if (info.kind == Kind::dma) instruction.queue = queue_of(program, i);
    group_indices(program, i, core);
  }
}

}  // namespace trainyard::compiler
