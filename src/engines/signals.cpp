#include "engines/signals.h"

#include <algorithm>

#include "isa/core/control_flow.h"

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
  const auto drains = [&](const isa::StreamItem& item) {
    return isa::flow_of(program, item.instruction) == isa::Flow::drain;
  };
  // The last one that raises each; what a drain raises for others is said only where nobody else
  // does.
  std::vector<const isa::StreamItem*> raisers(program.semaphore_count, nullptr);
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    std::ranges::fill(raisers, nullptr);
    for (const isa::StreamItem& item : program.streams[e]) {
      for (const isa::Signal& signal : program.signals_of(item)) {
        const isa::StreamItem*& raiser = raisers[signal.semaphore];
        if (raiser == nullptr || !drains(item)) raiser = &item;
      }
    }
    for (std::size_t semaphore = 0; semaphore < raisers.size(); ++semaphore) {
      if (raisers[semaphore] == nullptr) continue;
      Source& source = spec_.sources[semaphore];
      if (!drains(*raisers[semaphore]) || source.track == trace::no_track)
        source = source_of(program, e, *raisers[semaphore], tracks);
    }
  }
}

}  // namespace trainyard::engines
