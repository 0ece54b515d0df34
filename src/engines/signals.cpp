#include "engines/signals.h"

namespace trainyard::engines {

Signals::Signals(const isa::Program& program, const CoreTracks& tracks)
    : spec_{.sources = std::vector<Source>(program.semaphore_count)},
      state_{.counts = Semaphores(program.semaphore_count),
             .waiting = std::vector<std::uint8_t>(program.semaphore_count, 0)} {
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    for (const isa::StreamItem& item : program.streams[e]) {
      if (item.signal_count == 0) continue;
      const isa::Instruction& instruction = program.instructions[item.instruction];
      const bool is_dma = program.info_at(item.instruction).kind == isa::Kind::dma;
      for (const isa::Signal& signal : program.signals_of(item)) {
        Source& source = spec_.sources[signal.semaphore];
        source.is_dma = is_dma;
        if (!is_dma) {
          source.track = tracks.engines[e];
        } else if (instruction.queue < tracks.rings.size()) {
          source.track = tracks.rings[instruction.queue];
        }
      }
    }
  }
}

}  // namespace trainyard::engines
