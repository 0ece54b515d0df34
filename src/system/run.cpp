#include "system/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/error.h"
#include "engines/core_state.h"
#include "engines/grid.h"
#include "engines/meeting_point.h"
#include "engines/timed_core.h"
#include "memory/dma.h"
#include "memory/hbm_stack.h"

namespace trainyard::system {

namespace {

// Positions in tracks(): engines, rings, DMA engines, the stack.
struct TrackIds {
  engines::CoreTracks core;
  memory::DmaTracks dma;
  trace::TrackId stack = trace::no_track;
};

std::set<std::uint8_t> rings_of(const isa::Program& program) {
  std::set<std::uint8_t> rings;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (program.info_at(i).kind == isa::Kind::dma) rings.insert(program.instructions[i].queue);
  }
  return rings;
}

TrackIds ids(const isa::Program& program, const machine::Machine& machine) {
  TrackIds result;
  std::uint32_t next = 0;
  for (trace::TrackId& engine : result.core.engines) engine = trace::TrackId{next++};
  result.dma.rings.assign(static_cast<std::size_t>(machine.core.dma.rings_per_engine),
                          trace::no_track);
  for (const std::uint8_t ring : rings_of(program))
    result.dma.rings.at(ring) = trace::TrackId{next++};
  result.core.rings = result.dma.rings;
  for (std::int64_t e = 0; e < machine.core.dma.engines; ++e)
    result.dma.engines.push_back(trace::TrackId{next++});
  result.stack = trace::TrackId{next};
  return result;
}

// One core with its DMA engines, from start to result.
class CoreRun {
 public:
  CoreRun(const CoreJob& job, const machine::Machine& machine, events::Queue& queue,
          memory::HbmStack& hbm, engines::MeetingPoint& meetings, std::size_t index,
          const RunOptions& options)
      : job_(job),
        tracks_(ids(job.program, machine)),
        checkers_(
            options.values && options.checks
                ? std::make_unique<engines::Checkers>(job.program, job.execution, options.findings)
                : nullptr),
        core_(job.program, job.execution, queue,
              {.values = options.values,
               .recorder = job.recorder,
               .checkers = checkers_.get(),
               .tracks = tracks_.core}),
        dma_(machine.core, queue, hbm, core_, job.recorder, tracks_.dma) {
    core_.connect(dma_, meetings, index);
  }

  void start() { core_.start(); }
  [[nodiscard]] std::uint64_t done(const RunOptions& options) const {
    return options.values ? core_.applied() : core_.executed();
  }

  // Throws Fault deadlock when it is stuck and waits for no other core.
  void check_itself() const {
    if (core_.waits_at().empty()) core_.check_finished();
  }
  // The instructions at which it waits for other cores.
  [[nodiscard]] std::string waits_for() const {
    std::vector<std::string> found;
    for (const std::uint32_t i : core_.waits_at()) found.push_back(isa::describe(job_.program, i));
    return fmt::format("{}", fmt::join(found, " and "));
  }
  [[nodiscard]] std::string place() const {
    const std::vector<std::uint32_t> at = core_.waits_at();
    return at.empty() ? "" : job_.program.place(at.front());
  }

  [[nodiscard]] RunResult finish(const events::Queue& queue, const memory::HbmStack& hbm) const {
    core_.check_finished();
    if (checkers_) checkers_->finish();
    RunResult result;
    result.time = core_.end();
    for (int e = 0; e < isa::engine_count; ++e) {
      EngineSummary& summary = result.engines[static_cast<std::size_t>(e)];
      summary.reasons = core_.account(static_cast<isa::Engine>(e)).totals();
      // What is left of the run, the engine was idle.
      summary.reasons.ticks[trace::index(trace::Reason::idle)] +=
          (result.time - summary.reasons.total()).value;
      summary.instructions =
          static_cast<std::int64_t>(job_.program.streams[static_cast<std::size_t>(e)].size());
    }
    result.dma_active = dma_.active();
    result.dma_engine_busy = dma_.engine_busy();
    result.hbm_busy = hbm.busy();
    result.throttled = core_.throttled();
    result.activity = activity_of(job_.program, core_.executions());
    result.events = queue.handled();
    if (checkers_) result.findings = checkers_->findings().list();
    if (job_.recorder != nullptr) {
      job_.recorder->count_executions(core_.executions());
      job_.recorder->finish(result.time);
    }
    return result;
  }

 private:
  CoreJob job_;
  TrackIds tracks_;
  std::unique_ptr<engines::Checkers> checkers_;
  engines::TimedCore core_;
  memory::DmaEngines dma_;
};

// Handles events until none is left.
void drain(events::Queue& queue, std::span<const std::unique_ptr<CoreRun>> cores,
           const RunOptions& options) {
  if (!options.watch) return queue.run();
  while (queue.step()) {
    if (queue.handled() % engines::steps_between_looks == 0) {
      std::uint64_t done = 0;
      for (const auto& core : cores) done += core->done(options);
      options.watch({.instructions = done, .time = queue.now()});
    }
  }
}

// No event is left: a core that waits for another one does so for ever.
void check_meetings(std::span<const std::unique_ptr<CoreRun>> cores, base::Ticks now) {
  std::vector<engines::StuckCore> stuck;
  bool any = false;
  for (const auto& core : cores) core->check_itself();
  for (const auto& core : cores) {
    stuck.push_back({stuck.size(), core->waits_for(), core->place()});
    any = any || !stuck.back().waits_for.empty();
  }
  if (any) {
    engines::throw_grid_deadlock(stuck, fmt::format("after {:.1f} ns", base::to_nanoseconds(now)));
  }
}

}  // namespace

std::vector<trace::Track> tracks(const isa::Program& program, const machine::Machine& machine) {
  std::vector<trace::Track> list;
  for (int e = 0; e < isa::engine_count; ++e)
    list.push_back({std::string(name(static_cast<isa::Engine>(e))), trace::TrackKind::engine, 0});
  for (const std::uint8_t ring : rings_of(program))
    list.push_back({isa::queue_name(ring), trace::TrackKind::dma_queue, 0});
  for (std::int64_t e = 0; e < machine.core.dma.engines; ++e)
    list.push_back({fmt::format("dma{}", e), trace::TrackKind::dma_engine, 0});
  list.push_back({"hbm0", trace::TrackKind::memory, 0});
  return list;
}

ActivityTotals activity_of(const isa::Program& program, std::span<const std::uint32_t> executions) {
  ActivityTotals totals;
  for (std::uint32_t i = 0; i < executions.size(); ++i) {
    const std::int64_t times = executions[i];
    if (times == 0) continue;
    const isa::InstructionInfo& info = program.info_at(i);
    const isa::Activity activity = info.activity(program.record(i));
    totals.instructions += times;
    if (activity.macs > 0) totals.macs[activity.mac_format] += times * activity.macs;
    const auto engine = static_cast<std::size_t>(program.instructions[i].engine);
    if (engine < totals.elements.size()) totals.elements[engine] += times * activity.elements;
    const bool transfer = info.kind == isa::Kind::dma;
    if (transfer) totals.transfers += times;
    program.for_each_tile(
        i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
          const std::int64_t bytes = times * tile.bytes();
          const int directions = (isa::reads(access) ? 1 : 0) + (isa::writes(access) ? 1 : 0);
          if (tile.space == isa::Space::sbuf) totals.sbuf_bytes += bytes * directions;
          if (tile.space == isa::Space::psum) totals.psum_bytes += bytes * directions;
          if (tile.space == isa::Space::hbm && isa::reads(access)) totals.hbm_read_bytes += bytes;
          if (tile.space == isa::Space::hbm && isa::writes(access))
            totals.hbm_written_bytes += bytes;
          if (transfer && isa::writes(access)) totals.dma_bytes += bytes;
        });
  }
  return totals;
}

std::vector<RunResult> run_together(std::span<const CoreJob> jobs, const machine::Machine& machine,
                                    const RunOptions& options) {
  const std::int64_t cores_max = machine.chip.hbm.cores_per_stack;
  if (static_cast<std::int64_t>(jobs.size()) > cores_max) {
    throw base::InputError({"system.cores", "the cores of one run share one HBM stack", "",
                            fmt::format("{} cores where a stack has {}", jobs.size(), cores_max),
                            "run on fewer cores"});
  }
  events::Queue queue;
  // A stack that several cores use belongs to none of their recordings.
  const bool alone = jobs.size() == 1;
  memory::HbmStack hbm(machine.chip, alone ? jobs[0].recorder : nullptr,
                       alone ? ids(jobs[0].program, machine).stack : trace::no_track);
  std::vector<std::unique_ptr<CoreRun>> cores;
  engines::MeetingPoint meetings(queue, machine.collective, jobs.size());
  for (const CoreJob& job : jobs) {
    cores.push_back(
        std::make_unique<CoreRun>(job, machine, queue, hbm, meetings, cores.size(), options));
  }
  for (const auto& core : cores) core->start();
  drain(queue, cores, options);
  check_meetings(cores, queue.now());
  std::vector<RunResult> results;
  for (const auto& core : cores) results.push_back(core->finish(queue, hbm));
  return results;
}

RunResult run(const isa::Program& program, const machine::Machine& machine,
              isa::Execution& execution, const RunOptions& options) {
  const CoreJob job{program, execution, options.recorder};
  return std::move(run_together({&job, 1}, machine, options).front());
}

RunResult time(const isa::Program& program, const machine::Machine& machine,
               trace::Recorder* recorder) {
  state::Core core(engines::sizes_of(machine.core), engines::make_stack(machine));
  const std::vector<std::int64_t> nowhere(program.tensors.size(), 0);
  isa::Execution execution{
      .core = core, .program = program, .hbm_base = nowhere, .machine = machine.core};
  return run(program, machine, execution, {.values = false, .recorder = recorder});
}

}  // namespace trainyard::system
