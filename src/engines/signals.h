// The semaphores of a timed core: their counts, which engines wait for each, and which track raises
// it, as the cause of waits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/state_visitor.h"
#include "engines/semaphores.h"
#include "isa/core/program.h"
#include "trace/track.h"

namespace trainyard::engines {

// The tracks a core is recorded on.
struct CoreTracks {
  std::array<trace::TrackId, isa::engine_count> engines{
      trace::no_track, trace::no_track, trace::no_track, trace::no_track, trace::no_track};
  std::vector<trace::TrackId> rings;  // the DMA queues, as causes of waits
};

class Signals {
 public:
  // Who raises a semaphore.
  struct Source {
    trace::TrackId track = trace::no_track;
    bool is_dma = false;
  };

  Signals(const isa::Program& program, const CoreTracks& tracks);

  [[nodiscard]] const Semaphores& counts() const { return state_.counts; }
  [[nodiscard]] Source source(std::uint16_t semaphore) const { return spec_.sources[semaphore]; }
  // Takes the waits of an engine; the one that is missing, and the engine waits for it.
  [[nodiscard]] const isa::Wait* take(isa::Engine engine, std::span<const isa::Wait> waits) {
    const isa::Wait* missing = state_.counts.missing(waits);
    if (missing == nullptr) {
      state_.counts.take(waits);
    } else {
      state_.waiting[missing->semaphore] |=
          static_cast<std::uint8_t>(1u << static_cast<unsigned>(engine));
    }
    return missing;
  }
  // Signals go out: calls look(engine) for those that waited for one of them.
  template <typename F>
  void raise(std::span<const isa::Signal> signals, F&& look) {
    for (const isa::Signal& signal : signals) state_.counts.add(signal);
    for (const isa::Signal& signal : signals) {
      for (std::uint8_t rest = std::exchange(state_.waiting[signal.semaphore], std::uint8_t{0});
           rest != 0; rest = static_cast<std::uint8_t>(rest & (rest - 1)))
        look(static_cast<isa::Engine>(std::countr_zero(rest)));
    }
  }
  void show(base::StateVisitor& visitor) const {
    for (std::size_t s = 0; s < state_.waiting.size(); ++s) {
      visitor.value(state_.counts.count(static_cast<std::uint16_t>(s)));
      visitor.value(state_.waiting[s]);
    }
  }

 private:
  struct Spec {
    std::vector<Source> sources;  // by semaphore
  };
  struct State {
    Semaphores counts;
    std::vector<std::uint8_t> waiting;  // by semaphore: bit mask of engines
  };

  Spec spec_;
  State state_;
};

}  // namespace trainyard::engines
