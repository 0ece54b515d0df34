#include "engines/operation.h"

#include <algorithm>

#include "base/error.h"
#include "isa/cost/transfer.h"
#include "isa/semantics/execution.h"

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

}  // namespace

Operation operation_of(const isa::Program& program, std::uint32_t instruction, const void* record,
                       Engine engine, const machine::Core& core) {
  Operation result;
  const isa::InstructionInfo& info = program.info_at(instruction);
  const void* written = program.record(instruction);
  result.info = &info;
  result.is_dynamic = isa::is_dynamic(info, written);
  if (result.is_dynamic) result.words = isa::address_words(program, instruction);
  result.is_barrier = info.encounter(written) == isa::Encounter::barrier;
  const bool unresolved = result.is_dynamic && record == written;
  if (info.kind == isa::Kind::dma || unresolved) return result;
  const base::Clock clock = core.engine(engine).clock;
  isa::Timing timing = info.cycles(record, engine, core);
  if (result.is_dynamic && engine == Engine::vector && info.looks_up_addresses &&
      looks_address_up(info, written, record)) {
    const base::Cycles least = core.vector_rates.dynamic_address + core.vector.startup;
    const base::Cycles extra = std::max(least, timing.occupancy) - timing.occupancy;
    timing = {timing.occupancy + extra, timing.latency + extra};
  }
  result.occupancy = clock(timing.occupancy);
  result.latency = clock(timing.latency);
  if (info.kind == isa::Kind::control) return result;
  if (info.passes != nullptr && engine == Engine::tensor) result.passes = info.passes(record, core);
  std::int64_t streamed = 0;
  bool on_sbuf = false;
  isa::for_each_operand_tile(info, record, [&](std::size_t, const Tile& tile, isa::Access access) {
    streamed = std::max(streamed, tile.free_elements());
    on_sbuf = on_sbuf || tile.space == Space::sbuf;
    if (tile.space != Space::psum) return;
    if (isa::reads(access)) result.psum_read |= banks_of(tile, core.psum);
    if (isa::writes(access)) result.psum_written |= banks_of(tile, core.psum);
  });
  if (const auto* function = info.first<numerics::ActivationFunction>(record))
    result.tables = table_set_of(*function);
  // A perf mode is a stream of more than one element a cycle.
  const bool perf_mode = result.occupancy < clock(base::Cycles{streamed});
  result.uses_bus =
      on_sbuf && (engine == Engine::gpsimd ||
                  (engine == Engine::vector && (perf_mode || core.sbuf.vector_gpsimd_exclusive)));
  return result;
}

}  // namespace trainyard::engines
