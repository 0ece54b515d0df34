#include "engines/operation.h"

#include <algorithm>

#include "base/error.h"
#include "isa/core/register_use.h"

namespace trainyard::engines {

namespace {

using isa::Engine;
using isa::Space;
using isa::Tile;

BankMask banks_of(const Tile& tile, const machine::Psum& psum) {
  const std::int64_t first = tile.low_byte() / psum.bank_size.value;
  const std::int64_t last = (tile.high_byte() - 1) / psum.bank_size.value;
  BankMask mask = 0;
  for (std::int64_t bank = first; bank <= last && bank < psum.banks; ++bank)
    mask |= BankMask{1} << bank;
  return mask;
}

// An instruction on Vector from or to where a register says is never shorter than a lookup of the
// address. Source: nki.isa of tag v2.26, tensor_copy_dynamic. What is still dynamic when the record
// is resolved is an index for each element, which the stream itself reads.
bool looks_address_up(const isa::InstructionInfo& info, const void* written, const void* resolved) {
  return std::ranges::any_of(info.operands, [&](const isa::OperandInfo& operand) {
    return operand.is<Tile>() && operand.in<Tile>(written).dynamic != 0 &&
           operand.in<Tile>(resolved).dynamic == 0;
  });
}

// What the data path sees of an instruction's tiles.
struct Touched {
  std::int64_t streamed = 0;  // elements of a partition
  bool on_sbuf = false;
  BankMask psum_read = 0, psum_written = 0;

  void add(const Tile& tile, std::int64_t elements, isa::Access access, const machine::Psum& psum) {
    streamed = std::max(streamed, elements);
    on_sbuf = on_sbuf || tile.space == Space::sbuf;
    if (tile.space != Space::psum) return;
    const BankMask banks = banks_of(tile, psum);
    if (isa::reads(access)) psum_read |= banks;
    if (isa::writes(access)) psum_written |= banks;
  }
};

void add_costs(Operation& operation, const Touched& touched, const void* written,
               const void* record, Engine engine, const machine::Core& core) {
  const isa::InstructionInfo& info = *operation.info;
  if (info.kind == isa::Kind::dma) return;
  const base::Clock clock = core.engine(engine).clock;
  isa::Timing timing = info.cycles(record, engine, core);
  if (operation.is_dynamic && engine == Engine::vector && info.looks_up_addresses &&
      looks_address_up(info, written, record)) {
    const base::Cycles least = core.vector_rates.dynamic_address + core.vector.startup;
    const base::Cycles extra = std::max(least, timing.occupancy) - timing.occupancy;
    timing = {timing.occupancy + extra, timing.latency + extra};
  }
  operation.occupancy = clock(timing.occupancy);
  operation.latency = clock(timing.latency);
  if (info.kind == isa::Kind::control) return;
  operation.psum_read = touched.psum_read;
  operation.psum_written = touched.psum_written;
  if (info.passes != nullptr && engine == Engine::tensor)
    operation.passes = info.passes(record, core);
  if (engine == Engine::scalar) {
    if (const auto* function = info.first<numerics::ActivationFunction>(record))
      operation.tables = table_set_of(*function);
  }
  // A perf mode is a stream of more than one element a cycle.
  const bool perf_mode = operation.occupancy < clock(base::Cycles{touched.streamed});
  operation.uses_bus =
      touched.on_sbuf &&
      (engine == Engine::gpsimd ||
       (engine == Engine::vector && (perf_mode || core.sbuf.vector_gpsimd_exclusive)));
}

}  // namespace

Operation::Operation(const isa::Program& program, std::uint32_t instruction, Engine engine,
                     const machine::Core& core)
    : info(&program.info_at(instruction)),
      is_dynamic(isa::can_read_registers_at_issue(program.instructions[instruction].opcode) &&
                 isa::reads_registers_at_issue(*info, program.record(instruction))),
      work(work_without_bytes(*info, program.record(instruction))) {
  const void* record = program.record(instruction);
  // All in one walk over the operands: it takes longer than all else that a sequencer does.
  Touched touched;
  for (const std::uint8_t k : info->tiled) {
    const isa::OperandInfo& operand = info->operands[k];
    const isa::Access access = operand.is<Tile>() ? info->access(record, k) : isa::Access::read;
    isa::for_each_tile_of(operand, record, [&](const Tile& tile) {
      const std::int64_t elements = tile.free_elements();
      is_dynamic |= tile.dynamic != 0;
      touched.add(tile, elements, access, core.psum);
      work.add(tile.space, elements * (tile.on_chip() ? tile.partitions : 1) * tile.element_bytes(),
               access);
    });
  }
  if (info->parts != nullptr || is_dynamic) {
    work = work_without_bytes(*info, record);
    program.for_each_tile(instruction,
                          [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
                            work.add(tile.space, tile.bytes(), access);
                          });
  }
  encounter = info->encounter(record);
  if (info->kind == isa::Kind::dma) maker = isa::maker_of(*info, record, engine, core);
  if (is_dynamic) {
    words = isa::address_words(program, instruction);
  } else {
    add_costs(*this, touched, record, record, engine, core);
  }
}

Operation resolved(const Operation& operation, const void* written, const void* record,
                   Engine engine, const machine::Core& core) {
  Operation result = operation;
  Touched touched;
  isa::for_each_operand_tile(*operation.info, record,
                             [&](std::size_t, const Tile& tile, isa::Access access) {
                               touched.add(tile, tile.free_elements(), access, core.psum);
                             });
  add_costs(result, touched, written, record, engine, core);
  return result;
}

}  // namespace trainyard::engines
