#include "compiler/engines.h"

#include "isa/cost/transfer.h"
#include "isa/semantics/meeting.h"

namespace trainyard::compiler {

namespace {

using isa::Engine;
using isa::Instruction;
using isa::Kind;
using isa::Tile;

struct TransferShape {
  bool into_sbuf = false;
  bool gathers = false;  // rows chosen by an index list: only software descriptors can
  bool casts = false;    // hardware descriptors cannot
  // Where it begins is computed at run time: unless told otherwise, AWS's compiler generates such
  // descriptors by software (nki-moe-megakernel, OPTIMIZATION_LOG_TRN3.md, v15a).
  bool at_run_time = false;
};

TransferShape shape_of(const isa::Program& program, std::uint32_t i) {
  TransferShape shape;
  std::optional<numerics::DType> read, written;
  program.for_each_tile(
      i, [&](const isa::OperandInfo& operand, const Tile& tile, isa::Access access) {
        if (!operand.is<Tile>()) return;
        if (isa::writes(access)) {
          shape.into_sbuf = tile.space == isa::Space::sbuf;
          written = tile.dtype;
        } else if (!read) {
          read = tile.dtype;
        }
        if (tile.dynamic == 0) return;
        shape.at_run_time = true;
        if (program.dynamics[tile.dynamic - 1].kind == isa::DynamicAddress::Kind::vector_offset)
          shape.gathers = true;
      });
  shape.casts = read && written && *read != *written;
  return shape;
}

bool needs_software(const TransferShape& shape, isa::DgeMode mode) {
  return mode == isa::DgeMode::swdge || shape.gathers || shape.casts ||
         (mode == isa::DgeMode::unknown && shape.at_run_time);
}

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

std::uint8_t queue_of(const isa::Program& program, std::uint32_t i) {
  if (program.info_at(i).meeting != nullptr)
    return static_cast<std::uint8_t>(isa::meeting_of(program, i).channel);
  return isa::queue_of(program.instructions[i].engine, shape_of(program, i).into_sbuf);
}

}  // namespace

bool needs_software(const isa::Program& program, std::uint32_t i) {
  return needs_software(shape_of(program, i), isa::mode_of(program.info_at(i), program.record(i)));
}

Engine issuer_of(const isa::Program& program, std::uint32_t i) {
  const TransferShape shape = shape_of(program, i);
  const isa::DgeMode mode = isa::mode_of(program.info_at(i), program.record(i));
  if (needs_software(shape, mode)) return Engine::gpsimd;
  if (mode == isa::DgeMode::hwdge) return shape.into_sbuf ? Engine::sync : Engine::scalar;
  return shape.into_sbuf ? Engine::sync : Engine::gpsimd;
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
