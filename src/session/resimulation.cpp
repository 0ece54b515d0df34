#include "session/resimulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "engines/core_state.h"
#include "machine/schema.h"
#include "report/next_step.h"

namespace trainyard::session {
namespace {

using Instances = std::span<const std::shared_ptr<Instance>>;

// A core that holds nothing, for a run without values.
struct EmptyCore {
  state::Core core;
  isa::Execution execution;

  EmptyCore(const Instance& instance, const isa::Program& program, const machine::Machine& machine,
            std::shared_ptr<state::Hbm> stack)
      : core(engines::sizes_of(machine.core), std::move(stack)),
        execution{.core = core,
                  .program = program,
                  .hbm_base = instance.hbm_base(),
                  .machine = machine.core} {}
};

enum class Which : std::uint8_t { compiled, as_written };

base::Ticks time_of(Instances instances, const machine::Machine& machine,
                    const engines::Watch& watch, const machine::System* system,
                    Which which = Which::compiled) {
  const std::shared_ptr<state::Hbm> stack = engines::make_stack(machine);
  std::vector<std::unique_ptr<EmptyCore>> cores;
  std::vector<system::CoreJob> jobs;
  for (const auto& instance : instances) {
    const std::optional<isa::Program>& other = instance->ordered().as_written;
    const isa::Program& program =
        which == Which::as_written && other ? *other : instance->program();
    cores.push_back(std::make_unique<EmptyCore>(*instance, program, machine, stack));
    jobs.push_back({program, cores.back()->execution, nullptr, instance->rank()});
  }
  base::Ticks longest;
  for (const system::RunResult& result :
       system::run_together(jobs, machine, {.values = false, .watch = watch, .system = system}))
    longest = std::max(longest, result.time);
  return longest;
}

// Why the run cannot be simulated without its data, or nothing.
std::string obstacle(Instances instances, const machine::Machine& machine, base::Ticks duration,
                     const Questions& questions) {
  try {
    if (time_of(instances, machine, questions.watch, questions.system.get()) == duration) return {};
  } catch (const base::Fault&) {
  }
  return "what it does depends on its data";
}

// The assumed figures that time can depend on.
std::vector<std::string> timing_keys(const report::Report& report) {
  std::vector<std::string> keys;
  for (const report::Assumption& each : report.assumptions) {
    if (each.effect == machine::Effect::timing) keys.push_back(each.key);
  }
  return keys;
}

// The report counts a figure only if this run leans on it.
void keep_moving(report::Report& report) {
  std::erase_if(report.assumptions, [&](const report::Assumption& each) {
    return each.effect == machine::Effect::timing && (!each.low.empty()) &&
           std::ranges::none_of(report.interval->figures, [&](const report::Influence& figure) {
             return figure.key == each.key;
           });
  });
}

void advise(report::Report& report, const machine::Machine& machine, std::uint64_t instructions,
            std::uint64_t instructions_max, const report::Simulate& simulate) {
  const std::vector<report::Advice> advices = report::advices(report);
  if (instructions_max != 0 && instructions * advices.size() > instructions_max) return;
  std::vector<base::Ticks> times;
  for (const report::Advice& advice : advices)
    times.push_back(simulate(machine::apply_overrides(machine, advice.change.settings)));
  report.try_next = report::next_step(report, advices, times);
}

}  // namespace

void answer(const Questions& questions, Instances instances, const machine::Machine& machine,
            std::span<Run* const> runs) {
  if (!questions.interval && !questions.advice && questions.changes.empty()) return;
  std::uint64_t instructions = 0;
  for (const Run* run : runs) {
    base::check(run->report.has_value(), "questions are about timed runs");
    instructions += run->instructions;
  }
  const auto length = [](const Run* run) { return run->report->duration; };
  report::Report& report = *(*std::ranges::max_element(runs, {}, length))->report;
  const report::Simulate simulate = [&](const machine::Machine& other) {
    return time_of(instances, other, questions.watch, questions.system.get());
  };
  report.no_answer = obstacle(instances, machine, report.duration, questions);
  if (!report.no_answer.empty()) return;
  // Questions may come one after the other; the answers to earlier ones stay.
  if (!questions.changes.empty())
    report.what_ifs = report::what_ifs(machine, questions.changes, simulate);
  if (questions.advice) advise(report, machine, instructions, questions.instructions_max, simulate);
  if (!questions.interval) return;
  const std::vector<std::string> keys = timing_keys(report);
  const std::uint64_t work = instructions * (2 * keys.size() + 2);
  if (questions.instructions_max != 0 && work > questions.instructions_max) {
    report.no_answer = fmt::format(
        "finding out takes {} simulated instructions; ask for the interval to have it all the same",
        work);
    return;
  }
  report.interval = report::interval_of(machine, keys, report.duration, simulate);
  keep_moving(report);
}

std::optional<base::Ticks> as_written_time(Instances instances, const machine::Machine& machine,
                                           const engines::Watch& watch,
                                           const machine::System* system) {
  const auto was_tried = [](const auto& instance) {
    return instance->ordered().as_written_time.has_value();
  };
  if (instances.empty() || !std::ranges::all_of(instances, was_tried)) return std::nullopt;
  if (instances.size() == 1) return instances.front()->ordered().as_written_time;
  return time_of(instances, machine, watch, system, Which::as_written);
}

}  // namespace trainyard::session
