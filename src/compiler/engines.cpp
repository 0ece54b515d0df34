#include "compiler/engines.h"

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
};

TransferShape shape_of(const isa::Program& program, std::uint32_t i) {
  TransferShape shape;
  std::optional<numerics::DType> read, written;
  program.for_each_tile(
      i, [&](const isa::OperandInfo& operand, const Tile& tile, isa::Access access) {
        if (operand.type != isa::OperandType::tile) return;
        if (isa::writes(access)) {
          shape.into_sbuf = tile.space == isa::Space::sbuf;
          written = tile.dtype;
        } else if (!read) {
          read = tile.dtype;
        }
        if (tile.dynamic != 0 &&
            program.dynamics[tile.dynamic - 1].kind == isa::DynamicAddress::Kind::vector_offset) {
          shape.gathers = true;
        }
      });
  shape.casts = read && written && *read != *written;
  return shape;
}

Engine issuer_of(const isa::Program& program, std::uint32_t i) {
  const TransferShape shape = shape_of(program, i);
  isa::DgeMode mode = isa::DgeMode::unknown;
  for (const isa::OperandInfo& operand : program.info_at(i).operands) {
    if (operand.type == isa::OperandType::dge_mode)
      mode = operand.in<isa::DgeMode>(program.record(i));
  }
  if (mode == isa::DgeMode::swdge || shape.gathers || shape.casts) return Engine::gpsimd;
  if (mode == isa::DgeMode::hwdge) return shape.into_sbuf ? Engine::sync : Engine::scalar;
  return shape.into_sbuf ? Engine::sync : Engine::gpsimd;
}

}  // namespace

void choose_engines(isa::Program& program, const machine::Core& core) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    Instruction& instruction = program.instructions[i];
    const isa::InstructionInfo& info = program.info_at(i);
    if (info.kind == Kind::control) continue;  // runs on every engine that needs it
    if (instruction.engine == Engine::any) {
      instruction.engine =
          info.kind == Kind::dma ? issuer_of(program, i) : info.choose(program.record(i), core);
    }
    if (info.kind == Kind::dma)
      instruction.queue = isa::queue_of(instruction.engine, shape_of(program, i).into_sbuf);
  }
}

}  // namespace trainyard::compiler
