#include "engines/signals.h"

#include <algorithm>

namespace trainyard::engines {

namespace {

Signals::Source source_of(const isa::Program& program, std::size_t engine,
                          const isa::StreamItem& item, const CoreTracks& tracks) {
  const std::uint8_t queue = program.instructions[item.instruction].queue;
  const bool is_dma = program.info_at(item.instruction).kind == isa::Kind::dma;
  if (!is_dma) return {tracks.engines[engine], is_dma};
  return {queue < tracks.rings.size() ? tracks.rings[queue] : trace::no_track, is_dma};
}

}  // namespace

Signals::Signals(const isa::Program& program, const CoreTracks& tracks)
    : spec_{.sources = std::vector<Source>(program.semaphore_count)},
      state_{.counts = Semaphores(program.semaphore_count),
             .waiting = std::vector<std::uint8_t>(program.semaphore_count, 0)} {
  std::vector<const isa::StreamItem*> raisers(program.semaphore_count,
                                              nullptr);  // the last of each
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    std::ranges::fill(raisers, nullptr);
    for (const isa::StreamItem& item : program.streams[e]) {
      for (const isa::Signal& signal : program.signals_of(item)) raisers[signal.semaphore] = &item;
    }
    for (std::size_t semaphore = 0; semaphore < raisers.size(); ++semaphore) {
      if (raisers[semaphore] != nullptr)
        spec_.sources[semaphore] = source_of(program, e, *raisers[semaphore], tracks);
    }
  }
}

}  // namespace trainyard::engines
