#include "runtime/run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/error.h"
#include "checkers/checkers.h"
#include "engines/core_state.h"
#include "engines/grid.h"
#include "engines/interpreter.h"
#include "engines/needs_values.h"
#include "isa/semantics/rounding_seed.h"
#include "lint/lint.h"
#include "numerics/float_environment.h"
#include "runtime/grid_conflicts.h"
#include "runtime/time_only.h"

namespace trainyard::runtime {

namespace {

// For a program that has no memory, all of whose tensors begin at 0: nothing is written there.
std::shared_ptr<state::Hbm> nothing(const isa::Program& program) {
  std::int64_t largest = 0;
  for (const isa::Tensor& tensor : program.tensors) {
    if (tensor.space == isa::Space::hbm) largest = std::max(largest, tensor.bytes());
  }
  return std::make_shared<state::Hbm>(std::max<std::int64_t>(largest, 1));
}

// A loaded program's core while it runs.
struct Core {
  const LoadedProgram& program;
  bool is_placed;
  std::vector<std::int64_t> addresses, bases;
  state::Core state;
  isa::Execution execution;
  std::optional<engines::Float32Shadow> shadow{};
  checkers::SharingCheck::Seat sharing{};
  std::unique_ptr<checkers::Checkers> checks{};

  Core(const LoadedProgram& loaded, const RunOptions& options)
      : program(loaded),
        is_placed(program.is_placed()),
        addresses(program.addresses()),
        bases(is_placed ? addresses : std::vector<std::int64_t>(addresses.size(), 0)),
        state(engines::sizes_of(machine().core),
              is_placed ? program.device().memory()->stack() : nothing(*program.body())),
        execution{.core = state,
                  .program = *program.body(),
                  .hbm_base = bases,
                  .machine = machine().core,
                  .rank = rank()} {
    if (options.values) {
      base::check(is_placed, "a program runs with values where its tensors have a place");
      program.check_apart(addresses);
      const engines::Float32Shadow::Stacks& beside = program.device().memory()->float32();
      if (beside[0] != nullptr) execution.stand_in = &shadow.emplace(execution, beside);
    }
    engines::expect(body(), state);
    if (options.rounding_seed) isa::seed_rounding(state, *options.rounding_seed);
  }
  [[nodiscard]] const isa::Program& body() const { return *program.body(); }
  [[nodiscard]] const machine::Machine& machine() const { return program.device().machine(); }
  [[nodiscard]] std::int32_t rank() const { return program.device().id(); }
  [[nodiscard]] Placed placed() const { return {body(), addresses}; }
};

constexpr std::size_t recorded_max = 32;

// The cores of one run and what they do to memory that they share.
class Group {
 public:
  Group(std::span<const ProgramRef> programs, const RunOptions& options)
      : options_(options), checks_(options.checks && options.values) {
    for (const ProgramRef& program : programs)
      cores_.push_back(std::make_unique<Core>(*program, options));
    std::vector<std::int32_t> ranks;
    for (const auto& core : cores_) ranks.push_back(core->rank());
    seats_.emplace(system::seats_of(ranks));
    system::check_ranks(*seats_, machine().chip);
    watch_sharing();
    if (checks_) make_checkers();
  }

  std::vector<Result> run() {
    std::vector<Result> results = options_.timed ? run_timed() : run_untimed();
    if (checks_) tell_findings(results);
    return results;
  }

 private:
  [[nodiscard]] const machine::Machine& machine() const { return cores_.front()->machine(); }

  // Conflicts that are certain are refused; what only the run can tell is watched in it.
  void watch_sharing() {
    std::map<std::int32_t, std::size_t> first_of;  // by rank
    for (std::size_t k = 0; k < cores_.size(); ++k) {
      const auto [at, is_first] = first_of.try_emplace(cores_[k]->rank(), k);
      if (is_first) continue;
      Core& first = *cores_[at->second];
      const SharedUse use = check_conflicts(first.placed(), cores_[k]->placed());
      const bool watched = checks_ && !use.tensors.empty();
      in_step_ = in_step_ || use.overwrites || watched;
      if (!watched) continue;
      checkers::SharingCheck& check = sharing_.try_emplace(at->second, use.tensors).first->second;
      first.sharing = check.join();
      cores_[k]->sharing = check.join();
    }
  }

  void make_checkers() {
    for (const auto& core : cores_)
      core->checks = std::make_unique<checkers::Checkers>(core->body(), core->execution,
                                                          options_.findings, core->sharing);
  }

  std::vector<Result> run_untimed() {
    std::vector<std::unique_ptr<engines::Interpreter>> interpreters;
    std::vector<engines::Interpreter*> grid;
    for (const auto& core : cores_) {
      interpreters.push_back(std::make_unique<engines::Interpreter>(core->body(), core->execution,
                                                                    core->checks.get()));
      grid.push_back(interpreters.back().get());
    }
    engines::run_together(grid, *seats_, options_.watch,
                          in_step_ ? engines::Pace::in_step : engines::Pace::apart);
    std::vector<Result> results;
    for (const engines::Interpreter* const core : grid)
      results.push_back({.instructions = core->executed()});
    return results;
  }

  std::vector<Result> run_timed() {
    std::vector<std::shared_ptr<trace::Recorder>> recorders;
    std::vector<system::CoreJob> jobs;
    for (std::size_t k = 0; k < cores_.size(); ++k) {
      Core& core = *cores_[k];
      const bool whole = options_.record && is_recorded(k);
      recorders.push_back(make_recorder(core.body(), machine(),
                                        whole ? trace::Detail::full : trace::Detail::summary));
      jobs.push_back({core.body(), core.execution, recorders.back().get(), core.checks.get()});
    }
    const auto links = options_.system ? std::make_shared<system::LinkRecord>() : nullptr;
    std::vector<system::RunResult> timed =
        system::run_together(jobs, machine(),
                             {.values = options_.values,
                              .unknown_once = options_.unknown_once,
                              .watch = options_.watch,
                              .system = options_.system.get(),
                              .faults = options_.faults,
                              .folds_chips = options_.folds_alike,
                              .links = links.get()});
    std::vector<Result> results;
    for (system::RunResult& one : timed) {
      const auto recorder = recorders[one.ran_as];
      results.push_back({.instructions = static_cast<std::uint64_t>(one.activity.instructions),
                         .timing = TimedRun{std::move(one), recorder},
                         .links = links});
    }
    return results;
  }

  // Of many ranks, some are recorded in full, from the first one on at equal distances.
  [[nodiscard]] bool is_recorded(std::size_t core) const {
    const std::size_t step = (cores_.size() + recorded_max - 1) / recorded_max;
    return core % step == 0;
  }

  // Of the checks, and what is known only when all cores have run, or needs no run.
  void tell_findings(std::vector<Result>& results) const {
    for (std::size_t k = 0; k < cores_.size(); ++k) {
      const Core& core = *cores_[k];
      results[k].findings = core.checks->findings().list();
      checkers::Findings findings(core.body(), options_.findings);
      // Outputs are shared by all cores of a rank.
      if (k == 0 || cores_[k - 1]->rank() != core.rank())
        checkers::check_outputs(core.body(), core.addresses, *core.state.hbm, findings);
      if (const auto found = sharing_.find(k); found != sharing_.end())
        found->second.finish(findings);
      lint::inspect(core.body(), core.machine().core, findings);
      std::ranges::copy(findings.list(), std::back_inserter(results[k].findings));
    }
  }

  const RunOptions& options_;
  bool checks_;
  std::vector<std::unique_ptr<Core>> cores_;
  std::optional<isa::Seats> seats_;
  std::map<std::size_t, checkers::SharingCheck> sharing_;  // by the first core of a rank
  bool in_step_ = false;
};

// Values of every rank, and the time of those that do not do the same as others. Nothing where that
// says less: one chip, bits that flip at a time, or control flow that depends on data.
std::optional<std::vector<Result>> run_folded(std::span<const ProgramRef> programs,
                                              const RunOptions& options) {
  const auto is_flip = [](const std::string& fault) { return fault.starts_with("flip:"); };
  if (!options.timed || !options.values || !options.folds_alike || options.system == nullptr ||
      std::ranges::any_of(options.faults, is_flip))
    return std::nullopt;
  RunOptions timed_only = options, values = options;
  timed_only.values = timed_only.checks = false;
  values.timed = false;
  std::vector<Result> timed;
  try {
    timed = Group(programs, timed_only).run();
  } catch (const engines::NeedsValues&) {
    return std::nullopt;
  }
  std::vector<Result> results = Group(programs, values).run();
  for (std::size_t k = 0; k < results.size(); ++k) {
    results[k].timing = std::move(timed[k].timing);
    results[k].links = timed[k].links;
  }
  return results;
}

}  // namespace

std::vector<Result> run(std::span<const ProgramRef> programs, const RunOptions& options) {
  base::check(!programs.empty(), "a run has at least one program");
  const numerics::StandardFloatEnvironment standard;  // whatever the process around us has set
  if (auto folded = run_folded(programs, options)) return std::move(*folded);
  return Group(programs, options).run();
}

}  // namespace trainyard::runtime
