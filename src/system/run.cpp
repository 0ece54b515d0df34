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
#include "fabric/collective_plan.h"
#include "memory/dma.h"
#include "memory/hbm_stack.h"
#include "system/loop_folder.h"

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
  result.core.rings.assign(isa::queue_count, trace::no_track);
  for (const std::uint8_t ring : rings_of(program))
    result.core.rings.at(ring) = trace::TrackId{next++};
  // The cores say what collectives' queues do: packets move in parts of it.
  result.dma.rings.assign(result.core.rings.begin(),
                          result.core.rings.begin() + isa::collective_queue_first);
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
        checkers_(options.values && options.checks
                      ? std::make_unique<engines::Checkers>(job.program, job.execution,
                                                            options.findings, job.sharing)
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
  // Folds the turns of its loops, which must be nobody else's affair.
  [[nodiscard]] std::unique_ptr<LoopFolder> folder(events::Queue& queue, memory::HbmStack& hbm) {
    return std::make_unique<LoopFolder>(
        LoopFolder::Parts{job_.program, core_, dma_, hbm, queue, job_.recorder});
  }
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
           LoopFolder* folder, const RunOptions& options) {
  if (!options.watch && folder == nullptr) return queue.run();
  while (queue.step()) {
    if (folder != nullptr) folder->look();
    if (options.watch && queue.handled() % engines::steps_between_looks == 0) {
      std::uint64_t done = 0;
      for (const auto& core : cores) done += core->done(options);
      options.watch({.instructions = done, .time = queue.now()});
    }
  }
}

// One core's time is a matter of its own state, unless it computes with values or every interval
// is asked for.
bool can_fold(std::span<const CoreJob> jobs, const RunOptions& options) {
  const trace::Recorder* recorder = jobs[0].recorder;
  return options.folds && !options.values && jobs.size() == 1 &&
         (recorder == nullptr || recorder->detail() == trace::Detail::summary);
}

// No event is left: a core that waits for another one does so for ever.
void check_meetings(std::span<const std::unique_ptr<CoreRun>> cores, const isa::Seats& seats,
                    base::Ticks now) {
  std::vector<engines::StuckCore> stuck;
  bool any = false;
  for (const auto& core : cores) core->check_itself();
  for (const auto& core : cores) {
    stuck.push_back({seats.name(stuck.size()), core->waits_for(), core->place()});
    any = any || !stuck.back().waits_for.empty();
  }
  if (any) {
    engines::throw_grid_deadlock(stuck, seats.has_ranks(),
                                 fmt::format("after {:.1f} ns", base::to_nanoseconds(now)));
  }
}

void refuse_more(const char* rule, std::int64_t cores, const char* what, std::int64_t cores_max) {
  if (cores <= cores_max) return;
  throw base::InputError({"system.cores", rule, "",
                          fmt::format("{} cores where {} has {}", cores, what, cores_max),
                          "run on fewer cores"});
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
    const void* record = program.record(i);
    const isa::Activity activity = info.activity(record);
    totals.instructions += times;
    if (activity.macs > 0) totals.macs[activity.mac_format] += times * activity.macs;
    const auto engine = static_cast<std::size_t>(program.instructions[i].engine);
    if (engine < totals.elements.size()) totals.elements[engine] += times * activity.elements;
    const bool transfer = info.kind == isa::Kind::dma;
    if (transfer) totals.transfers += times;
    const auto move = [&](const isa::Tile& tile, isa::Access access) {
      const std::int64_t bytes = times * tile.bytes();
      const int directions = (isa::reads(access) ? 1 : 0) + (isa::writes(access) ? 1 : 0);
      if (tile.space == isa::Space::sbuf) totals.sbuf_bytes += bytes * directions;
      if (tile.space == isa::Space::psum) totals.psum_bytes += bytes * directions;
      if (tile.space == isa::Space::hbm && isa::reads(access)) totals.hbm_read_bytes += bytes;
      if (tile.space == isa::Space::hbm && isa::writes(access)) totals.hbm_written_bytes += bytes;
      if (transfer && isa::writes(access)) totals.dma_bytes += bytes;
    };
    if (info.parts != nullptr || !program.dynamics.empty()) {
      program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile,
                                   isa::Access access) { move(tile, access); });
    } else {  // the same for whole tiles, in a third of the time
      isa::for_each_operand_tile(
          info, record,
          [&](std::size_t, const isa::Tile& tile, isa::Access access) { move(tile, access); });
    }
  }
  return totals;
}

std::vector<RunResult> run_together(std::span<const CoreJob> jobs, const machine::Machine& machine,
                                    const RunOptions& options) {
  std::vector<std::int32_t> ranks;
  for (const CoreJob& job : jobs) ranks.push_back(job.rank);
  const isa::Seats seats = seats_of(ranks);
  check_ranks(seats, machine.chip);
  refuse_more("a timed run has one chip", static_cast<std::int64_t>(seats.size()), "it",
              machine.chip.cores);
  events::Queue queue;
  // A stack that several cores use belongs to none of their recordings.
  const bool alone = jobs.size() == 1;
  std::map<std::int64_t, memory::HbmStack> stacks;
  std::vector<memory::HbmStack*> stack_of;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const auto at =
        stacks.try_emplace(static_cast<std::int64_t>(k) / machine.chip.hbm.cores_per_stack,
                           machine.chip, alone ? jobs[0].recorder : nullptr,
                           alone ? ids(jobs[0].program, machine).stack : trace::no_track);
    stack_of.push_back(&at.first->second);
  }
  engines::MeetingPoint meetings(
      queue, machine.collective, seats,
      [&](const isa::Program& program, std::uint32_t i, std::int64_t rank_cores) {
        const fabric::CollectivePlan plan =
            fabric::plan_of(fabric::message_of(program, i), machine);
        return engines::CollectiveWork{plan.latency,
                                       {base::ceil_div(plan.read.value, rank_cores)},
                                       {base::ceil_div(plan.written.value, rank_cores)}};
      });
  std::vector<std::unique_ptr<CoreRun>> cores;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    cores.push_back(
        std::make_unique<CoreRun>(jobs[k], machine, queue, *stack_of[k], meetings, k, options));
  }
  std::unique_ptr<LoopFolder> folder;
  if (can_fold(jobs, options)) folder = cores.front()->folder(queue, *stack_of.front());
  for (const auto& core : cores) core->start();
  drain(queue, cores, folder.get(), options);
  check_meetings(cores, seats, queue.now());
  std::vector<RunResult> results;
  for (std::size_t k = 0; k < jobs.size(); ++k)
    results.push_back(cores[k]->finish(queue, *stack_of[k]));
  if (folder) results.front().turns_folded = folder->turns_folded();
  return results;
}

isa::Seats seats_of(std::span<const std::int32_t> ranks) {
  std::vector<isa::Seat> seats;
  for (const std::int32_t rank : ranks) {
    const auto before = std::ranges::count(seats, rank, &isa::Seat::rank);
    seats.push_back({rank, static_cast<std::int32_t>(before)});
  }
  return isa::Seats(std::move(seats));
}

void check_ranks(const isa::Seats& seats, const machine::Chip& chip) {
  std::int64_t of_a_rank = 0;
  for (std::size_t k = 0; k < seats.size(); ++k)
    of_a_rank = std::max<std::int64_t>(of_a_rank, seats[k].core + 1);
  refuse_more("the cores of a rank share one HBM stack", of_a_rank, "a stack",
              chip.hbm.cores_per_stack);
}

RunResult run(const isa::Program& program, const machine::Machine& machine,
              isa::Execution& execution, const RunOptions& options) {
  const CoreJob job{program, execution, options.recorder};
  return std::move(run_together({&job, 1}, machine, options).front());
}

RunResult time(const isa::Program& program, const machine::Machine& machine,
               trace::Recorder* recorder, engines::Watch watch) {
  state::Core core(engines::sizes_of(machine.core), engines::make_stack(machine));
  const std::vector<std::int64_t> nowhere(program.tensors.size(), 0);
  isa::Execution execution{
      .core = core, .program = program, .hbm_base = nowhere, .machine = machine.core};
  return run(program, machine, execution,
             {.values = false, .recorder = recorder, .watch = std::move(watch)});
}

}  // namespace trainyard::system
