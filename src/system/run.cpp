#include "system/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/thread_pool.h"
#include "engines/core_state.h"
#include "engines/grid.h"
#include "engines/meeting_point.h"
#include "events/partitions.h"
#include "fabric/collective_plan.h"
#include "memory/hbm_stack.h"
#include "system/core_run.h"
#include "system/empty_core.h"
#include "system/faults.h"
#include "system/interconnect.h"
#include "system/loop_folder.h"
#include "system/memory_faults.h"

namespace trainyard::system {

namespace {

// Of the first core that still runs.
std::string where(std::span<const std::unique_ptr<CoreRun>> cores) {
  for (const auto& core : cores) {
    if (!core->core().finished()) return core->core().where();
  }
  return {};
}

void tell(base::Ticks now, std::span<const std::unique_ptr<CoreRun>> cores,
          const RunOptions& options) {
  engines::Progress progress{.time = now, .where = [&] { return where(cores); }};
  bool known = true;
  for (const auto& core : cores) {
    progress.instructions += core->done(options);
    progress.expected += core->core().expected();
    known = known && core->core().expected() > 0;
  }
  if (!known) progress.expected = 0;
  options.watch(progress);
}

// Handles events until none is left.
void drain(events::Queue& queue, std::span<const std::unique_ptr<CoreRun>> cores,
           LoopFolder* folder, const RunOptions& options) {
  if (!options.watch && folder == nullptr) return queue.run();
  while (queue.step()) {
    if (folder != nullptr) folder->look();
    if (options.watch && queue.handled() % engines::steps_between_looks == 0)
      tell(queue.now(), cores, options);
  }
}

// The same where each chip has a queue. Values are computed on the caller's thread.
void drain(events::Partitions& chips, std::span<const std::unique_ptr<CoreRun>> cores,
           const RunOptions& options) {
  base::ThreadPool threads(options.values ? 1 : std::min(chips.size(), options.threads_max));
  std::uint64_t next_look = 0;
  chips.run(threads, [&] {
    if (!options.watch || chips.handled() < next_look) return;
    next_look = chips.handled() + engines::steps_between_looks;
    tell(chips.now(), cores, options);
  });
}

// One core's time is a matter of its own state, unless it computes with values or every interval
// is asked for.
bool can_fold(std::span<const CoreJob> jobs, const RunOptions& options) {
  const trace::Recorder* recorder = jobs[0].recorder;
  return options.folds_loops && !options.values && jobs.size() == 1 &&
         (recorder == nullptr || recorder->detail() == trace::Detail::summary);
}

// No event is left: a core that waits for another one does so for ever.
void check_meetings(std::span<const std::unique_ptr<CoreRun>> cores,
                    std::span<const engines::MeetingPoint* const> points, base::Ticks now,
                    std::span<const std::string> cuts) {
  const isa::Seats& seats = points.front()->seats();
  std::vector<engines::StuckCore> stuck;
  bool any = false;
  for (const auto& core : cores) core->check_itself();
  for (const auto& core : cores) {
    stuck.push_back({seats.name(stuck.size()), core->waits_for(), core->place()});
    any = any || !stuck.back().waits_for.empty();
  }
  if (any) {
    if (cuts.empty()) engines::MeetingPoint::check_standing(points);
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
    make_queues();
    make_stacks();
    make_meetings();
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      cores_.push_back(std::make_unique<CoreRun>(jobs_[k], machine, *queues_[k], *stack_of_[k],
                                                 meetings_of(k), k, options));
    }
  }

  std::vector<RunResult> run() {
    const MemoryFaults memory(faults_.memory, jobs_, queues_);
    std::unique_ptr<LoopFolder> folder;
    if (!links_ && can_fold(jobs_, options_))
      folder = cores_.front()->folder(*queues_.front(), *stack_of_.front());
    start();
    if (chips_.size() > 0)
      drain(chips_, cores_, options_);
    else
      drain(chips_.between(), cores_, folder.get(), options_);
    check_all_met();
    std::vector<RunResult> list = results();
    if (folder) list.front().turns_folded = folder->turns_folded();
    if (options_.links != nullptr) memory.record(*options_.links);
    return list;
  }

 private:
  void start() {
    for (std::size_t k = 0; k < cores_.size(); ++k) {
      const auto by = std::ranges::find(faults_.late, jobs_[k].rank(),
                                        [](const auto& one) { return one.first; });
      if (by == faults_.late.end())
        cores_[k]->start();
      else
        late_.push_back(std::make_unique<LateStart>(*cores_[k], *queues_[k], by->second));
    }
  }

  static isa::Seats seats(std::span<const CoreJob> jobs) {
    std::vector<std::int32_t> ranks;
    for (const CoreJob& job : jobs) ranks.push_back(job.rank());
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
    links_ =
        std::make_unique<Interconnect>(all_, all_seats_, system, cores, faults_,
                                       options_.folds_chips && !options_.values, chips_.between());
    for (const std::size_t k : links_->running()) jobs_.push_back(all_[k]);
  }

  // Of each chip, where several run.
  void make_queues() {
    std::map<std::int64_t, std::size_t> numbers;
    for (const CoreJob& job : jobs_) {
      const std::int64_t chip = links_ ? links_->chip_of(job.rank()) : 0;
      part_of_.push_back(numbers.try_emplace(chip, numbers.size()).first->second);
    }
    if (numbers.size() > 1) {
      while (chips_.size() < numbers.size()) chips_.add();
    }
    for (const std::size_t part : part_of_)
      queues_.push_back(chips_.size() > 0 ? &chips_[part] : &chips_.between());
  }

  // A stack that several cores use belongs to none of their recordings.
  void make_stacks() {
    trace::Recorder* const recorder = jobs_.size() == 1 ? jobs_[0].recorder : nullptr;
    const trace::TrackId track =
        recorder == nullptr ? trace::no_track : track_ids(jobs_[0].program, machine_).stack;
    const std::int64_t of_a_rank = cores_per_rank();
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      const std::int64_t core = options_.system == nullptr
                                    ? static_cast<std::int64_t>(k)
                                    : jobs_[k].rank() * of_a_rank + (*seats_)[k].core;
      const auto at = stacks_.try_emplace(core / machine_.chip.hbm.cores_per_stack, machine_.chip,
                                          recorder, track);
      stack_of_.push_back(&at.first->second);
    }
  }

  // Between chips, the network says how long steps take, and a core's DMA engines move its part.
  [[nodiscard]] engines::CollectiveWork work(std::size_t core, const isa::Program& program,
                                             std::uint32_t i, std::int64_t rank_cores) const {
    const fabric::Message message = fabric::message_of(program, i, jobs_[core].rank());
    const fabric::CollectivePlan plan = fabric::plan_of(message, machine_);
    base::Ticks latency = plan.latency;
    if (links_ && links_->crosses(core, i)) {
      latency =
          message.follows ? base::Ticks{} : machine_.collective.start + machine_.collective.step;
    }
    return {latency,
            {base::ceil_div(plan.read.value, rank_cores)},
            {base::ceil_div(plan.written.value, rank_cores)}};
  }

  // One for the whole run, or one between the chips, and one for each of them.
  void make_meetings() {
    const engines::CollectiveShare share = [this](std::size_t core, const isa::Program& program,
                                                  std::uint32_t i, std::int64_t rank_cores) {
      return work(core, program, i, rank_cores);
    };
    const auto add = [&](events::Queue& queue, auto&&... more) -> engines::MeetingPoint& {
      meetings_.push_back(std::make_unique<engines::MeetingPoint>(queue, machine_.collective,
                                                                  *seats_, share, more...));
      return *meetings_.back();
    };
    engines::Apart apart;
    if (chips_.size() > 0) apart = {&chips_, part_of_};
    engines::MeetingPoint& between =
        add(chips_.between(), links_ ? links_->crossings() : engines::Crossings{},
            links_ ? links_->members(*seats_) : engines::MembersOf{}, apart);
    if (links_) links_->connect(between);
    for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
      add(chips_[chip]).lead_to(between, [this](std::size_t core, std::uint32_t i) {
        return links_->crosses(core, i);
      });
    }
  }
  [[nodiscard]] engines::MeetingPoint& meetings_of(std::size_t core) const {
    return *meetings_[chips_.size() > 0 ? 1 + part_of_[core] : 0];
  }

  void check_all_met() const {
    std::vector<const engines::MeetingPoint*> points;
    for (const auto& point : meetings_) points.push_back(point.get());
    check_meetings(cores_, points, chips_.end(),
                   links_ ? links_->stuck() : std::vector<std::string>{});
  }

  std::vector<RunResult> results() {
    std::vector<RunResult> own;
    for (std::size_t k = 0; k < jobs_.size(); ++k)
      own.push_back(cores_[k]->finish(chips_.handled(), *stack_of_[k]));
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
  events::Partitions chips_;  // none where one runs, in the queue between them
  Faults faults_;
  std::unique_ptr<Interconnect> links_;
  std::vector<CoreJob> jobs_;           // those that run
  std::vector<std::size_t> part_of_;    // by job: its chip
  std::vector<events::Queue*> queues_;  // by job
  std::optional<isa::Seats> seats_;
  std::map<std::int64_t, memory::HbmStack> stacks_;
  std::vector<memory::HbmStack*> stack_of_;
  std::vector<std::unique_ptr<engines::MeetingPoint>> meetings_;
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
  const CoreJob job{program, execution, options.recorder, options.observer};
  return std::move(run_together({&job, 1}, machine, options).front());
}

RunResult time(const isa::Program& program, const machine::Machine& machine,
               trace::Recorder* recorder, engines::Watch watch) {
  EmptyCore empty(program, machine, engines::make_stack(machine));
  return run(program, machine, empty.execution,
             {.values = false, .recorder = recorder, .watch = std::move(watch)});
}

}  // namespace trainyard::system
