// One core of a timed run with its DMA engines, from start to result.
#pragma once

#include <memory>
#include <string>

#include "engines/meeting_point.h"
#include "engines/timed_core.h"
#include "memory/dma.h"
#include "memory/hbm_stack.h"
#include "system/loop_folder.h"
#include "system/run.h"

namespace trainyard::system {

// Positions in tracks(): engines, rings, DMA engines, the stack.
struct TrackIds {
  engines::CoreTracks core;
  memory::DmaTracks dma;
  trace::TrackId stack = trace::no_track;
};

[[nodiscard]] TrackIds track_ids(const isa::Program& program, const machine::Machine& machine);

class CoreRun {
 public:
  // What it refers to must outlive this. `index`: of the core at its meetings.
  CoreRun(const CoreJob& job, const machine::Machine& machine, events::Queue& queue,
          memory::HbmStack& hbm, engines::MeetingPoint& meetings, std::size_t index,
          const RunOptions& options);

  void start() { core_.start(); }
  // Folds the turns of its loops, which must be nobody else's affair. Null where it has none that
  // can be folded.
  [[nodiscard]] std::unique_ptr<LoopFolder> folder(events::Queue& queue, memory::HbmStack& hbm);
  [[nodiscard]] const engines::TimedCore& core() const { return core_; }
  [[nodiscard]] std::uint64_t done(const RunOptions& options) const {
    return options.values ? core_.applied() : core_.executed();
  }

  // Throws Fault deadlock when it is stuck and waits for no other core.
  void check_itself() const {
    if (core_.waits_at().empty()) core_.check_finished();
  }
  // The instructions at which it waits for other cores.
  [[nodiscard]] std::string waits_for() const;
  [[nodiscard]] std::string place() const;

  // `events`: of the whole run.
  [[nodiscard]] RunResult finish(std::uint64_t events, const memory::HbmStack& hbm) const;

 private:
  CoreJob job_;
  TrackIds tracks_;
  engines::TimedCore core_;
  memory::DmaEngines dma_;
};

}  // namespace trainyard::system
