// One engine's sequencer and its fixed times. How many elements a lane streams per cycle is in
// rates.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/units.h"

namespace trainyard::machine {

// The five sequencers of a core, and `any` where a program leaves the choice open.
enum class EngineKind : std::uint8_t { tensor, vector, scalar, gpsimd, sync, any };
inline constexpr int engine_count = 5;

[[nodiscard]] constexpr std::string_view name(EngineKind kind) {
  constexpr std::array<std::string_view, engine_count + 1> names{"tensor", "vector", "scalar",
                                                                 "gpsimd", "sync",   "any"};
  return names.at(static_cast<std::size_t>(kind));
}

// The control instructions of a sequencer. A machine file may not know one of them; then it is
// assumed, with a range.
struct Sequencer {
  std::int64_t queue_depth = 0;  // instructions fetched ahead
  base::Ticks branch;            // compare and branch
  base::Ticks loop_iteration;    // one iteration of a hardware loop
  base::Ticks register_move;
  base::Ticks register_alu;
  base::Ticks register_load_sbuf;  // until the register holds the value
  base::Ticks register_load_hbm;
  base::Ticks register_store;
  base::Ticks semaphore_operation;  // a wait that is already satisfied, a set or an increment
  base::Ticks drain;
  base::Ticks gap;  // between a DMA trigger and the next instruction
  base::Ticks notify;
  base::Ticks
      dma_issue_static;  // how long a DMA trigger holds the sequencer, by who makes the descriptors
  base::Ticks dma_issue_hardware;
  base::Ticks dma_issue_software;
};

// The fixed times of a data-path instruction around the cycles it streams (rates.h):
//   occupancy = max(min_interval, stream + startup + access of its slowest source)
//   latency   = stream + startup + access + latency + write of its destination
// `occupancy` is until the engine may start its next independent instruction, `latency` until the
// result is visible to a dependent one.
struct EngineTimes {
  base::Clock clock;
  base::Cycles min_interval;
  base::Cycles startup;
  base::Cycles latency;
  base::Cycles sbuf_access;  // when a source lies in SBUF
  base::Cycles psum_access;  // when a source lies in PSUM
  base::Cycles sbuf_write;   // when the destination lies in SBUF
  base::Cycles psum_write;   // when the destination lies in PSUM
  Sequencer sequencer;
};

}  // namespace trainyard::machine
