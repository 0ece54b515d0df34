// How long compiled programs take that compute nothing: no device holds them and no memory their
// values. What programs are compared by, before one of them is loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engines/watch.h"
#include "isa/core/program.h"
#include "machine/machine.h"
#include "runtime/run.h"
#include "trace/recorder.h"

namespace trainyard::runtime {

// What one physical core runs.
struct Unloaded {
  const isa::Program* program = nullptr;
  std::int32_t rank = 0;
};

struct TimeOnlyOptions {
  bool record = false;  // as a timed run() does, which takes longer; else TimedRun has no recorder
  engines::Watch watch{};                   // is told how far the run is; may end it by throwing
  const machine::System* system = nullptr;  // of several chips: what they are part of
};

// The programs start together. In their order. Throws as a timed run() without values.
[[nodiscard]] std::vector<TimedRun> time_only(std::span<const Unloaded> cores,
                                              const machine::Machine& machine,
                                              const TimeOnlyOptions& options = {});

// What cores that start together take.
struct GridTime {
  base::Ticks total;    // of the slowest core
  base::Ticks busiest;  // of that, the part in which its busiest engine or memory is not held up
};
[[nodiscard]] GridTime grid_time(std::span<const TimedRun> cores, const machine::Machine& machine);

// What records the run of a program.
[[nodiscard]] std::shared_ptr<trace::Recorder> make_recorder(const isa::Program& program,
                                                             const machine::Machine& machine,
                                                             trace::Detail detail);

}  // namespace trainyard::runtime
