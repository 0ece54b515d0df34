#include "compiler/estimate.h"

namespace trainyard::compiler {

Estimate estimate(const isa::Program& program, std::uint32_t i, isa::Engine engine,
                  const machine::Core& core) {
  const isa::InstructionInfo& info = program.info_at(i);
  const auto kind = static_cast<machine::EngineKind>(engine);
  const machine::Engine& spec = core.engine(kind);
  const isa::Timing timing = info.cycles(program.record(i), engine, core);
  const base::Ticks time = spec.clock(timing.latency);
  if (info.kind != isa::Kind::dma) return {spec.clock(timing.occupancy), time};
  std::int64_t bytes = 0;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
    if (isa::writes(how)) bytes += tile.bytes();
  });
  const std::int64_t share = base::ceil_div(bytes, core.dma.engines);
  return {base::Ticks{1}, time + core.dma.hardware.trigger_latency + core.dma.packet_rate({share}) +
                              core.dma.completion};
}

}  // namespace trainyard::compiler
