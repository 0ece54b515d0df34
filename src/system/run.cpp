#include "system/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "checkers/checkers.h"
#include "engines/core_state.h"
#include "engines/grid.h"
#include "engines/meeting_point.h"
#include "engines/timed_core.h"
#include "fabric/collective_plan.h"
#include "memory/dma.h"
#include "memory/hbm_stack.h"
#include "system/faults.h"
#include "system/interconnect.h"
#include "system/loop_folder.h"
#include "system/memory_faults.h"

namespace trainyard::system {

namespace {

// Positions in tracks(): engines, rings, DMA engines, the stack.
struct TrackIds {
  engines::CoreTracks core;
  memory::DmaTracks dma;
  trace::TrackId stack = trace::no_track;
};

// The DMA rings that a program uses, in their order.
std::vector<std::uint8_t> rings_of(const isa::Program& program) {
  std::array<bool, isa::queue_count> used{};
  for (const isa::Instruction& one : program.instructions) {
    if (!used.at(one.queue) && isa::info(one.opcode).kind == isa::Kind::dma) used[one.queue] = true;
  }
  std::vector<std::uint8_t> rings;
  for (std::uint8_t ring = 0; ring < isa::queue_count; ++ring) {
    if (used[ring]) rings.push_back(ring);
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

// A recording says of an instruction that ran more often that it ran 2^32 - 1 times.
std::vector<std::uint32_t> as_recorded(std::span<const std::uint64_t> executions) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> counts;
  counts.reserve(executions.size());
  for (const std::uint64_t count : executions)
    counts.push_back(static_cast<std::uint32_t>(std::min(count, most)));
  return counts;
}

ActivityTotals totals_of(const engines::WorkTotals& work) {
  ActivityTotals totals{.macs = {},
                        .elements = work.elements,
                        .sbuf_bytes = work.sbuf_bytes,
                        .psum_bytes = work.psum_bytes,
                        .hbm_read_bytes = work.hbm_read_bytes,
                        .hbm_written_bytes = work.hbm_written_bytes,
                        .dma_bytes = work.dma_bytes,
                        .instructions = work.instructions,
                        .transfers = work.transfers};
  for (std::size_t format = 0; format < work.macs.size(); ++format) {
    if (work.macs[format] > 0)
      totals.macs[static_cast<numerics::DType>(format)] = work.macs[format];
  }
  return totals;
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
                      ? std::make_unique<checkers::Checkers>(job.program, job.execution,
                                                             options.findings, job.sharing)
                      : nullptr),
        core_(job.program, job.execution, queue,
              {.values = options.values,
               .recorder = job.recorder,
               .observer = checkers_.get(),
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
  [[nodiscard]] const engines::TimedCore& core() const { return core_; }
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
    result.activity = totals_of(core_.work());
    result.events = queue.handled();
    if (checkers_) result.findings = checkers_->findings().list();
    if (job_.recorder != nullptr) {
      job_.recorder->count_executions(as_recorded(core_.executions()));
      job_.recorder->finish(result.time);
    }
    return result;
  }

 private:
  CoreJob job_;
  TrackIds tracks_;
  std::unique_ptr<checkers::Checkers> checkers_;
  engines::TimedCore core_;
  memory::DmaEngines dma_;
};

// Of the first core that still runs.
std::string where(std::span<const std::unique_ptr<CoreRun>> cores) {
  for (const auto& core : cores) {
    if (!core->core().finished()) return core->core().where();
  }
  return {};
}

// Handles events until none is left.
void drain(events::Queue& queue, std::span<const std::unique_ptr<CoreRun>> cores,
           LoopFolder* folder, const RunOptions& options) {
  if (!options.watch && folder == nullptr) return queue.run();
  while (queue.step()) {
    if (folder != nullptr) folder->look();
    if (options.watch && queue.handled() % engines::steps_between_looks == 0) {
      engines::Progress progress{.time = queue.now(), .where = [&] { return where(cores); }};
      bool known = true;
      for (const auto& core : cores) {
        progress.instructions += core->done(options);
        progress.expected += core->core().expected();
        known = known && core->core().expected() > 0;
      }
      if (!known) progress.expected = 0;
      options.watch(progress);
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
void check_meetings(std::span<const std::unique_ptr<CoreRun>> cores,
                    const engines::MeetingPoint& meetings, base::Ticks now,
                    std::span<const std::string> cuts) {
  const isa::Seats& seats = meetings.seats();
  std::vector<engines::StuckCore> stuck;
  bool any = false;
  for (const auto& core : cores) core->check_itself();
  for (const auto& core : cores) {
    stuck.push_back({seats.name(stuck.size()), core->waits_for(), core->place()});
    any = any || !stuck.back().waits_for.empty();
  }
  if (any) {
    if (cuts.empty()) meetings.check_streams();
    std::string when = fmt::format("after {:.1f} ns", base::to_nanoseconds(now));
    constexpr std::size_t told_max = 8;
    for (const std::string& cut : cuts.first(std::min(cuts.size(), told_max))) when += "; " + cut;
    if (cuts.size() > told_max) when += fmt::format("; and {} more", cuts.size() - told_max);
    engines::throw_grid_deadlock(stuck, seats.has_ranks(), when, !cuts.empty());
  }
}

void refuse_more(const char* rule, std::int64_t cores, const char* what, std::int64_t cores_max,
                 const char* fix = "run on fewer cores") {
  if (cores <= cores_max) return;
  throw base::InputError({"system.cores", rule, "",
                          fmt::format("{} cores where {} has {}", cores, what, cores_max), fix});
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

namespace {

// Starts a core after a while.
class LateStart final : public events::Handler {
 public:
  LateStart(CoreRun& core, events::Queue& queue, base::Ticks delay) : core_(core) {
    queue.at(delay, *this, {});
  }
  void handle(events::Message) override { core_.start(); }

 private:
  CoreRun& core_;
};

// One run of all jobs that are there themselves.
class Together {
 public:
  Together(std::span<const CoreJob> jobs, const machine::Machine& machine,
           const RunOptions& options)
      : all_(jobs), machine_(machine), options_(options), all_seats_(seats(jobs)) {
    check_ranks(all_seats_, machine.chip);
    if (options.system != nullptr) {
      join_chips();
    } else {
      refuse_more("a timed run of a machine has one chip",
                  static_cast<std::int64_t>(all_seats_.size()), "it", machine.chip.cores,
                  "run on fewer cores, or name a system of several chips: trn3-gen2, trn2-server");
      refuse_faults();
      for (const CoreJob& job : jobs) jobs_.push_back(job);
    }
    seats_.emplace(seats(jobs_));
    make_stacks();
    make_meetings();
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      cores_.push_back(std::make_unique<CoreRun>(jobs_[k], machine, queue_, *stack_of_[k],
                                                 *meetings_, k, options));
    }
  }

  std::vector<RunResult> run() {
    const MemoryFaults memory(faults_.memory, all_, options_.links, queue_);
    std::unique_ptr<LoopFolder> folder;
    if (!links_ && can_fold(jobs_, options_))
      folder = cores_.front()->folder(queue_, *stack_of_.front());
    start();
    drain(queue_, cores_, folder.get(), options_);
    check_meetings(cores_, *meetings_, queue_.now(),
                   links_ ? links_->stuck() : std::vector<std::string>{});
    std::vector<RunResult> list = results();
    if (folder) list.front().turns_folded = folder->turns_folded();
    return list;
  }

 private:
  void start() {
    for (std::size_t k = 0; k < cores_.size(); ++k) {
      const auto by =
          std::ranges::find(faults_.late, jobs_[k].rank, [](const auto& one) { return one.first; });
      if (by == faults_.late.end())
        cores_[k]->start();
      else
        late_.push_back(std::make_unique<LateStart>(*cores_[k], queue_, by->second));
    }
  }

  static isa::Seats seats(std::span<const CoreJob> jobs) {
    std::vector<std::int32_t> ranks;
    for (const CoreJob& job : jobs) ranks.push_back(job.rank);
    return seats_of(ranks);
  }

  [[nodiscard]] std::int64_t cores_per_rank() const {
    std::int64_t most = 1;
    for (std::size_t k = 0; k < all_seats_.size(); ++k)
      most = std::max<std::int64_t>(most, all_seats_[k].core + 1);
    return most;
  }

  void refuse_faults() const {
    if (options_.faults.empty()) return;
    throw base::InputError({"fabric.fault", "what fails is a part of a system", machine_.name,
                            options_.faults.front(), "name one, for instance trn3-gen2"});
  }

  void join_chips() {
    machine::System system = *options_.system;
    system.chip = machine_;
    const std::int64_t cores = cores_per_rank();
    faults_ = read_faults(fabric::Network(system, cores), options_.faults);
    links_ = std::make_unique<Interconnect>(all_, all_seats_, system, cores, faults_,
                                            options_.folds_chips && !options_.values, queue_);
    for (const std::size_t k : links_->running()) jobs_.push_back(all_[k]);
  }

  // A stack that several cores use belongs to none of their recordings.
  void make_stacks() {
    const bool alone = jobs_.size() == 1;
    const std::int64_t of_a_rank = cores_per_rank();
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      const std::int64_t core = options_.system == nullptr
                                    ? static_cast<std::int64_t>(k)
                                    : jobs_[k].rank * of_a_rank + (*seats_)[k].core;
      const auto at =
          stacks_.try_emplace(core / machine_.chip.hbm.cores_per_stack, machine_.chip,
                              alone ? jobs_[0].recorder : nullptr,
                              alone ? ids(jobs_[0].program, machine_).stack : trace::no_track);
      stack_of_.push_back(&at.first->second);
    }
  }

  // Between chips, the network says how long steps take, and a core's DMA engines move its part.
  [[nodiscard]] engines::CollectiveWork work(const isa::Program& program, std::uint32_t i,
                                             std::int64_t rank_cores) const {
    const fabric::Message message = fabric::message_of(program, i);
    const fabric::CollectivePlan plan = fabric::plan_of(message, machine_);
    base::Ticks latency = plan.latency;
    if (links_ && links_->crosses(program, i)) {
      latency =
          message.follows ? base::Ticks{} : machine_.collective.start + machine_.collective.step;
    }
    return {latency,
            {base::ceil_div(plan.read.value, rank_cores)},
            {base::ceil_div(plan.written.value, rank_cores)}};
  }

  void make_meetings() {
    meetings_ = std::make_unique<engines::MeetingPoint>(
        queue_, machine_.collective, *seats_,
        [this](const isa::Program& program, std::uint32_t i, std::int64_t rank_cores) {
          return work(program, i, rank_cores);
        },
        links_ ? links_->crossings() : engines::Crossings{},
        links_ ? links_->members(*seats_) : engines::MembersOf{});
    if (links_) links_->connect(*meetings_);
  }

  std::vector<RunResult> results() {
    std::vector<RunResult> own;
    for (std::size_t k = 0; k < jobs_.size(); ++k)
      own.push_back(cores_[k]->finish(queue_, *stack_of_[k]));
    base::Ticks end;
    for (const RunResult& one : own) end = std::max(end, one.time);
    if (!links_) {
      for (std::size_t k = 0; k < own.size(); ++k) own[k].ran_as = k;
      return own;
    }
    if (options_.links != nullptr) links_->record(*options_.links, end);
    std::vector<RunResult> list;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const std::size_t job = links_->stand_in(k);
      const auto at = std::ranges::find(links_->running(), job) - links_->running().begin();
      list.push_back(own[static_cast<std::size_t>(at)]);
      list.back().ran_as = job;
    }
    return list;
  }

  std::span<const CoreJob> all_;
  const machine::Machine& machine_;
  const RunOptions& options_;
  isa::Seats all_seats_;
  events::Queue queue_;
  Faults faults_;
  std::unique_ptr<Interconnect> links_;
  std::vector<CoreJob> jobs_;  // those that run
  std::optional<isa::Seats> seats_;
  std::map<std::int64_t, memory::HbmStack> stacks_;
  std::vector<memory::HbmStack*> stack_of_;
  std::unique_ptr<engines::MeetingPoint> meetings_;
  std::vector<std::unique_ptr<CoreRun>> cores_;
  std::vector<std::unique_ptr<LateStart>> late_;
};

}  // namespace

std::vector<RunResult> run_together(std::span<const CoreJob> jobs, const machine::Machine& machine,
                                    const RunOptions& options) {
  return Together(jobs, machine, options).run();
}

isa::Seats seats_of(std::span<const std::int32_t> ranks) {
  std::vector<isa::Seat> seats;
  std::unordered_map<std::int32_t, std::int32_t> cores;  // so far, by rank
  for (const std::int32_t rank : ranks) seats.push_back({rank, cores[rank]++});
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

namespace {

// A core that holds nothing, for a run without values.
struct EmptyCore {
  EmptyCore(const isa::Program& program, const machine::Machine& machine)
      : core(engines::sizes_of(machine.core), engines::make_stack(machine)),
        nowhere(program.tensors.size(), 0),
        execution{.core = core, .program = program, .hbm_base = nowhere, .machine = machine.core} {}
  EmptyCore(const EmptyCore&) = delete;
  EmptyCore& operator=(const EmptyCore&) = delete;

  state::Core core;
  std::vector<std::int64_t> nowhere;
  isa::Execution execution;
};

}  // namespace

RunResult time(const isa::Program& program, const machine::Machine& machine,
               trace::Recorder* recorder, engines::Watch watch) {
  EmptyCore empty(program, machine);
  return run(program, machine, empty.execution,
             {.values = false, .recorder = recorder, .watch = std::move(watch)});
}

base::Ticks time_together(std::span<const isa::Program* const> programs,
                          const machine::Machine& machine, engines::Watch watch) {
  std::vector<std::unique_ptr<EmptyCore>> cores;
  std::vector<CoreJob> jobs;
  for (const isa::Program* const program : programs) {
    cores.push_back(std::make_unique<EmptyCore>(*program, machine));
    jobs.push_back({*program, cores.back()->execution});
  }
  base::Ticks longest;
  for (const RunResult& one :
       run_together(jobs, machine, {.values = false, .watch = std::move(watch)}))
    longest = std::max(longest, one.time);
  return longest;
}

}  // namespace trainyard::system
