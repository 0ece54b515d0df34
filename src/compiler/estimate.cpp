#include "compiler/estimate.h"

#include "isa/cost/transfer.h"

namespace trainyard::compiler {

namespace {

using base::Ticks;
using isa::Engine;
using isa::Program;

isa::DescriptorMaker maker_of(const Program& program, std::uint32_t i, Engine engine,
                              const machine::Core& core) {
  return isa::maker_of(program.info_at(i), program.record(i), engine, core);
}

// What passes before the first byte of a transfer moves, its trigger behind another one.
Ticks begins_after(const Program& program, std::uint32_t i, Engine engine,
                   const machine::Core& core) {
  return estimate_issue(program, i, engine, true, core) - core.engine(engine).sequencer.gap +
         isa::descriptors_of(maker_of(program, i, engine, core), core).trigger_latency;
}

}  // namespace

Ticks estimate_issue(const Program& program, std::uint32_t i, Engine engine, bool behind_another,
                     const machine::Core& core) {
  return isa::address_time(isa::address_words(program, i), engine, core) +
         isa::issue_time(maker_of(program, i, engine, core), engine, behind_another, core) +
         core.engine(engine).sequencer.gap;
}

Estimate estimate(const Program& program, std::uint32_t i, Engine engine,
                  const machine::Core& core) {
  const isa::InstructionInfo& info = program.info_at(i);
  if (info.kind != isa::Kind::dma) {
    const machine::EngineTimes& spec = core.engine(engine);
    const isa::Timing timing = info.cycles(program.record(i), engine, core);
    return {spec.clock(timing.occupancy), spec.clock(timing.latency), {}};
  }
  std::int64_t bytes = 0;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
    if (isa::writes(how)) bytes += tile.bytes();
  });
  const Ticks moving = core.dma.even_shares({bytes});
  return {estimate_issue(program, i, engine, true, core),
          begins_after(program, i, engine, core) + moving + core.dma.completion, moving};
}

TransferEstimate estimate_transfer(const Program& program, std::uint32_t i,
                                   const machine::Core& core) {
  const Engine engine = program.instructions[i].engine;
  const isa::Transfer transfer = isa::transfer_of(program.info_at(i), program.record(i), core);
  const Ticks piece = isa::piece_time(transfer, maker_of(program, i, engine, core), core, {0});
  TransferEstimate result;
  for (std::size_t e = 0; e < result.moving.size(); ++e)
    result.moving[e] = piece * transfer.pieces[e];
  result.before = begins_after(program, i, engine, core);
  result.after = core.dma.completion;
  return result;
}

}  // namespace trainyard::compiler
