#include "compiler/estimate.h"

#include "isa/cost/transfer.h"

namespace trainyard::compiler {

namespace {

// How long a transfer holds the engine that triggers it, behind another one.
base::Ticks held_by_transfer(const isa::Program& program, std::uint32_t i, isa::Engine engine,
                             const machine::Core& core) {
  const isa::DgeMode mode = isa::mode_of(program.info_at(i), program.record(i));
  const isa::Generation generation = isa::generation_of(mode, engine, core);
  const bool prepares = generation == isa::Generation::software;
  return isa::address_time(isa::address_words(program, i), engine, core) +
         (prepares ? core.dma.software_prepare_next : base::Ticks{0}) +
         isa::trigger_time(generation, engine, core) + core.engine(engine).sequencer.gap;
}

}  // namespace

Estimate estimate(const isa::Program& program, std::uint32_t i, isa::Engine engine,
                  const machine::Core& core) {
  const isa::InstructionInfo& info = program.info_at(i);
  const auto kind = engine;
  const machine::EngineTimes& spec = core.engine(kind);
  const isa::Timing timing = info.cycles(program.record(i), engine, core);
  const base::Ticks time = spec.clock(timing.latency);
  if (info.kind != isa::Kind::dma) return {spec.clock(timing.occupancy), time, {}};
  std::int64_t bytes = 0;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
    if (isa::writes(how)) bytes += tile.bytes();
  });
  const base::Ticks moving = core.dma.even_shares({bytes});
  return {held_by_transfer(program, i, engine, core),
          time + core.dma.hardware.trigger_latency + moving + core.dma.completion, moving};
}

TransferEstimate estimate_transfer(const isa::Program& program, std::uint32_t i,
                                   const machine::Core& core) {
  const isa::InstructionInfo& info = program.info_at(i);
  const isa::Engine engine = program.instructions[i].engine;
  const isa::Transfer transfer = isa::transfer_of(info, program.record(i), core);
  const isa::Generation generation = isa::generation_of(transfer.mode, engine, core);
  const base::Ticks piece = isa::piece_time(transfer, generation, core, {0});
  const isa::Timing timing = info.cycles(program.record(i), engine, core);
  TransferEstimate result;
  for (std::size_t e = 0; e < result.moving.size(); ++e)
    result.moving[e] = piece * transfer.pieces[e];
  result.before = core.engine(engine).clock(timing.latency) +
                  isa::descriptors_of(generation, core).trigger_latency;
  result.after = core.dma.completion;
  return result;
}

}  // namespace trainyard::compiler
