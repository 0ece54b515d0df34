#include "session/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "engines/checkers/checkers.h"
#include "engines/core_state.h"
#include "engines/grid.h"
#include "engines/interpreter.h"
#include "lint/lint.h"
#include "numerics/float_environment.h"
#include "report/labels.h"
#include "report/work.h"
#include "session/grid_conflicts.h"
#include "session/program_hash.h"
#include "session/resimulation.h"
#include "system/run.h"
#include "trace/recorder.h"
#include "trace/trace_file.h"

namespace trainyard::session {

namespace {

constexpr std::string_view version = TRAINYARD_VERSION;

bool is_shared(const isa::Tensor& tensor) {
  return tensor.space == isa::Space::hbm && tensor.shared;
}

// Instances of a grid find each other's shared tensors by the order in which they create them.
void check_same(const isa::Program& program, const isa::Tensor& tensor, const isa::Tensor& first) {
  if (tensor.shape == first.shape && tensor.dtype == first.dtype) return;
  throw base::InputError(
      {"grid.shared", "all instances of a grid create the same shared tensors in the same order",
       program.describe_location(tensor.location),
       fmt::format("'{}' ({}) {} where the first instance has '{}' ({}) {}", tensor.name,
                   fmt::join(tensor.shape, ", "), numerics::name(tensor.dtype), first.name,
                   fmt::join(first.shape, ", "), numerics::name(first.dtype)),
       "create shared tensors before what depends on nl.program_id, or in private_hbm"});
}

}  // namespace

Session::Session(machine::Machine machine) : machine_(std::move(machine)) {}

Session::Memory& Session::memory_of(std::int32_t rank) {
  Memory& memory = memories_[rank];
  if (memory.stack != nullptr) return memory;
  memory.stack = engines::make_stack(machine_);
  if (isa::has_shadow(machine_.core))
    memory.float32 = isa::Float32Shadow::stacks_beside(*memory.stack);
  return memory;
}

std::shared_ptr<Instance> Session::load(isa::Program kernel, const compiler::Options& options,
                                        std::int32_t rank) {
  Memory& memory = memory_of(rank);
  std::vector<Shared>& shared = memory.shared;
  Ordered made = ordered(std::move(kernel), machine_, options);
  isa::Program& program = made.program;
  std::size_t index = 0;
  for (isa::Tensor& tensor : program.tensors) {
    if (!is_shared(tensor) || index >= shared.size()) continue;
    const auto& [first, address] = shared[index++];
    check_same(program, tensor, first);
    tensor.address = address;
  }
  std::vector<std::int64_t> placed = engines::place_tensors(program, *memory.stack);
  if (shared.empty()) {
    for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
      if (is_shared(program.tensors[t])) shared.push_back({program.tensors[t], placed[t]});
    }
  }
  return std::make_shared<Instance>(std::move(made), std::move(placed), rank,
                                    compiler::schedule_name(options));
}

void Session::write(const Instance& instance, isa::TensorId tensor,
                    std::span<const std::byte> content) {
  engines::write_tensor(instance.program(), tensor, instance.hbm_base(), stack_of(instance),
                        content);
}

void Session::read(const Instance& instance, isa::TensorId tensor,
                   std::span<std::byte> content) const {
  const std::span<const std::byte> held =
      engines::tensor_content(instance.program(), tensor, instance.hbm_base(), stack_of(instance));
  base::check(held.size() == content.size(), "a buffer has the size of its tensor");
  std::memcpy(content.data(), held.data(), held.size());
}

void Session::read(const Instance& instance, const isa::View& view, std::span<std::byte> content) {
  const isa::Tile tile = isa::tile_of(view);
  base::check(
      tile.space == isa::Space::hbm && static_cast<std::size_t>(tile.bytes()) == content.size(),
      "a buffer has the size of the HBM view it receives");
  state::Core core(engines::sizes_of(machine_.core), memory_of(instance.rank()).stack);
  isa::Execution execution{.core = core,
                           .program = instance.program(),
                           .hbm_base = instance.hbm_base(),
                           .machine = machine_.core};
  isa::load_bits(tile, execution, 0, content.data());
}

// One instance's core while it runs.
struct Session::Loaded {
  const Instance& instance;
  state::Core core;
  isa::Execution execution;
  std::optional<isa::Float32Shadow> shadow;
  engines::SharingCheck::Seat sharing{};

  Loaded(const Instance& one, const machine::Machine& machine, const Memory& memory)
      : instance(one),
        core(engines::sizes_of(machine.core), memory.stack),
        execution{.core = core,
                  .program = one.program(),
                  .hbm_base = one.hbm_base(),
                  .machine = machine.core} {
    if (memory.float32[0] != nullptr) execution.shadow = &shadow.emplace(execution, memory.float32);
    engines::expect(one.program(), core);
  }
};

std::vector<Run> Session::run(std::span<const std::shared_ptr<Instance>> instances,
                              const Options& options) {
  const numerics::StandardFloatEnvironment standard;  // whatever the process around us has set
  std::vector<std::int32_t> ranks;
  for (const auto& instance : instances) ranks.push_back(instance->rank());
  const isa::Seats seats = system::seats_of(ranks);
  system::check_ranks(seats, machine_.chip);
  const bool checked = options.checks && options.values;
  std::vector<std::unique_ptr<Loaded>> cores;
  for (const auto& instance : instances)
    cores.push_back(std::make_unique<Loaded>(*instance, machine_, memory_of(instance->rank())));
  std::map<std::size_t, engines::SharingCheck> sharing;  // by the first instance of a rank
  bool in_step = false;
  for (std::size_t k = 0; k < instances.size(); ++k) {
    const auto first = static_cast<std::size_t>(std::ranges::find(ranks, ranks[k]) - ranks.begin());
    if (first == k) continue;
    const SharedUse use = check_conflicts(*instances[first], *instances[k]);
    const bool watched = checked && !use.tensors.empty();
    in_step = in_step || use.overwrites || watched;
    if (!watched) continue;
    engines::SharingCheck& check = sharing.try_emplace(first, use.tensors).first->second;
    cores[first]->sharing = check.join();
    cores[k]->sharing = check.join();
  }
  std::vector<Run> runs;
  if (options.timed) {
    runs = run_timed(cores, options);
    const std::optional<base::Ticks> as_written =
        as_written_time(instances, machine_, options.watch);
    for (std::size_t k = 0; k < runs.size(); ++k) {
      runs[k].instance = instances[k];
      runs[k].report->as_written = as_written;
    }
    if (checked) check_whole(instances, sharing, options, runs);
    return runs;
  }
  std::vector<std::unique_ptr<engines::Checkers>> checkers;
  std::vector<std::unique_ptr<engines::Interpreter>> interpreters;
  std::vector<engines::Interpreter*> grid;
  for (const auto& core : cores) {
    const isa::Program& program = core->instance.program();
    checkers.push_back(options.checks
                           ? std::make_unique<engines::Checkers>(program, core->execution,
                                                                 options.findings, core->sharing)
                           : nullptr);
    interpreters.push_back(
        std::make_unique<engines::Interpreter>(program, core->execution, checkers.back().get()));
    grid.push_back(interpreters.back().get());
  }
  engines::run_together(grid, seats, options.watch,
                        in_step ? engines::Pace::in_step : engines::Pace::apart);
  for (std::size_t k = 0; k < grid.size(); ++k) {
    runs.push_back({.instructions = grid[k]->executed()});
    if (checkers[k]) runs.back().findings = checkers[k]->findings().list();
  }
  if (options.checks) check_whole(instances, sharing, options, runs);
  return runs;
}

// What is known only when all instances have run, or needs no run.
void Session::check_whole(std::span<const std::shared_ptr<Instance>> instances,
                          const std::map<std::size_t, engines::SharingCheck>& sharing,
                          const Options& options, std::vector<Run>& runs) const {
  for (std::size_t k = 0; k < instances.size(); ++k) {
    const Instance& instance = *instances[k];
    engines::Findings findings(instance.program(), options.findings);
    // Outputs are shared by all instances of a rank.
    if (k == 0 || instances[k - 1]->rank() != instance.rank()) {
      engines::check_outputs(instance.program(), instance.hbm_base(), stack_of(instance), findings);
    }
    if (const auto found = sharing.find(k); found != sharing.end()) found->second.finish(findings);
    lint::inspect(instance.program(), machine_.core, findings);
    std::ranges::copy(findings.list(), std::back_inserter(runs[k].findings));
  }
}

// What a core does, and its part in what its rank does.
struct Session::Share {
  report::Work work{};
  std::int64_t number = 0, cores = 1;
  economics::Activity others{};
};

std::vector<Session::Share> Session::shares_of(std::span<const system::CoreJob> jobs,
                                               std::span<const trace::Recorder> recorders,
                                               const machine::Core& core) {
  std::vector<Share> shares(jobs.size());
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const auto is_beside = [&](const system::CoreJob& job) { return job.rank == jobs[k].rank; };
    shares[k].work = report::work_of(jobs[k].program, recorders[k].summary(), core);
    shares[k].cores = std::ranges::count_if(jobs, is_beside);
    shares[k].number = std::ranges::count_if(jobs.first(k), is_beside);
    for (std::size_t other = 0; other < jobs.size(); ++other) {
      if (other != k && is_beside(jobs[other])) shares[other].others += shares[k].work.activity;
    }
  }
  return shares;
}

std::vector<Run> Session::run_timed(std::span<const std::unique_ptr<Loaded>> cores,
                                    const Options& options) const {
  std::vector<trace::Recorder> recorders;
  recorders.reserve(cores.size());
  std::vector<system::CoreJob> jobs;
  for (const auto& core : cores) {
    const isa::Program& program = core->instance.program();
    recorders.emplace_back(system::tracks(program, machine_), std::vector<trace::Counter>{},
                           program.instructions.size(),
                           options.record ? trace::Detail::full : trace::Detail::summary);
    jobs.push_back(
        {program, core->execution, &recorders.back(), core->instance.rank(), core->sharing});
  }
  const std::vector<system::RunResult> results = system::run_together(jobs, machine_,
                                                                      {.values = options.values,
                                                                       .checks = options.checks,
                                                                       .findings = options.findings,
                                                                       .watch = options.watch});
  std::vector<Run> runs;
  const std::vector<Share> shares = shares_of(jobs, recorders, machine_.core);
  for (std::size_t k = 0; k < cores.size(); ++k)
    runs.push_back(describe(cores[k]->instance, recorders[k], results[k], shares[k], options));
  return runs;
}

const report::Report& whole_report(Run& run) {
  base::check(run.report.has_value() && run.instance != nullptr, "only a timed run has a report");
  std::uint64_t& hash = run.report->run.program_hash;
  if (hash == 0) hash = program_hash(run.instance->program());
  return *run.report;
}

// What was run and how it was asked for.
trace::Metadata Session::metadata_of(const Instance& instance, const Share& share,
                                     const Options& options) const {
  trace::Metadata metadata;
  metadata.program = instance.program().name;
  metadata.machine = machine_.name;
  metadata.version = version;
  metadata.machine_hash = machine_.hash();
  if (options.record) metadata.program_hash = program_hash(instance.program());
  if (share.cores > 1)
    metadata.more.emplace_back("core", fmt::format("{} of {}", share.number, share.cores));
  metadata.more.emplace_back("schedule", instance.schedule());
  if (const std::string& order = instance.ordered().order; order != instance.schedule())
    metadata.more.emplace_back("order", order);
  if (!options.values) metadata.more.emplace_back("values", "none");
  if (const std::vector<std::string> settings = machine::overrides_of(machine_); !settings.empty())
    metadata.more.emplace_back("set", fmt::format("{}", fmt::join(settings, ",")));
  metadata.more.insert(metadata.more.end(), options.about.begin(), options.about.end());
  return metadata;
}

Run Session::describe(const Instance& instance, const trace::Recorder& recorder,
                      const system::RunResult& result, const Share& share,
                      const Options& options) const {
  const isa::Program& program = instance.program();
  const trace::Metadata metadata = metadata_of(instance, share, options);
  Run run{.instructions = static_cast<std::uint64_t>(result.activity.instructions),
          .findings = result.findings};
  std::optional<trace::TraceFile> file;
  if (options.record) {
    run.trace = trace::write_trace(recorder, report::labels_of(program), metadata);
    file = trace::TraceFile::parse(run.trace, "the recording");
  }
  const economics::Prices prices = economics::load_prices();
  run.report = report::make_report({.program = program,
                                    .machine = machine_,
                                    .summary = recorder.summary(),
                                    .work = share.work,
                                    .tracks = recorder.tracks(),
                                    .run = metadata,
                                    .trace = file ? &*file : nullptr,
                                    .prices = &prices,
                                    .cores = share.cores,
                                    .others = share.others,
                                    .stack_busy = result.hbm_busy});
  return run;
}

}  // namespace trainyard::session
