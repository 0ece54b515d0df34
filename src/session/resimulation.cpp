#include "session/resimulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/error.h"
#include "compiler/rewrites.h"
#include "isa/cost/transfer.h"
#include "machine/schema.h"
#include "report/next_step.h"
#include "runtime/time_only.h"

namespace trainyard::session {
namespace {

// About what compiling and simulating all changes of a kernel takes.
constexpr std::size_t simulations_of_changes = 60;

using Instances = std::span<const std::shared_ptr<Instance>>;

using ProgramOf = std::function<const isa::Program&(const Instance&)>;

base::Ticks time_of(Instances instances, const machine::Machine& machine,
                    const engines::Watch& watch, const machine::System* system,
                    const ProgramOf& program_of) {
  std::vector<runtime::Unloaded> cores;
  for (const auto& instance : instances)
    cores.push_back({&program_of(*instance), instance->rank()});
  const auto timings = runtime::time_only(cores, machine, {.watch = watch, .system = system});
  return runtime::grid_time(timings, machine).total;
}

const isa::Program& compiled(const Instance& instance) { return instance.program(); }

base::Ticks time_of(Instances instances, const machine::Machine& machine,
                    const engines::Watch& watch, const machine::System* system) {
  return time_of(instances, machine, watch, system, compiled);
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

// From the trigger of a transfer to its first byte on the last of its DMA engines.
base::Ticks start_cost(const isa::Program& program, std::uint32_t i, const machine::Core& core) {
  const isa::InstructionInfo& info = program.info_at(i);
  const void* const record = program.record(i);
  const isa::Engine issuer = program.instructions[i].engine;
  const isa::DescriptorMaker maker = isa::maker_of(info, record, issuer, core);
  const machine::DescriptorCosts& how = isa::descriptors_of(maker, core);
  const std::int64_t engine = isa::transfer_of(info, record, core).last_engine();
  return isa::issue_time(maker, issuer, false, core) + how.trigger_latency +
         base::Ticks{how.spread.value * engine / std::max<std::int64_t>(1, core.dma.engines - 1)};
}

// What no kernel of these transfers is without, whatever its order: one load has to start before
// there is data, and one store behind the last result. That of the cheapest of each.
base::Ticks unavoidable_starts(Instances instances, const machine::Core& core) {
  std::optional<base::Ticks> load, store;
  for (const auto& instance : instances) {
    const isa::Program& program = instance->program();
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
      const isa::InstructionInfo& info = program.info_at(i);
      if (info.kind != isa::Kind::dma || info.meeting != nullptr) continue;
      std::optional<base::Ticks>& least =
          isa::goes_into_sbuf(info, program.record(i)) ? load : store;
      const base::Ticks cost = start_cost(program, i, core);
      least = least ? std::min(*least, cost) : cost;
    }
  }
  return load.value_or(base::Ticks{}) + store.value_or(base::Ticks{});
}

// The time without a cost, but for the part of it that stays.
base::Ticks least_time(const report::Advice& advice, const machine::Machine& machine,
                       Instances instances, const report::Simulate& simulate) {
  const machine::Machine without = machine::apply_overrides(machine, advice.change.settings);
  const base::Ticks taken_away =
      unavoidable_starts(instances, machine.core) - unavoidable_starts(instances, without.core);
  return simulate(without) + std::max(taken_away, base::Ticks{});
}

void advise(report::Report& report, const machine::Machine& machine, Instances instances,
            const Questions& questions, std::uint64_t instructions,
            const report::Simulate& simulate,
            const std::function<std::vector<report::NextStep>()>& changed) {
  const std::vector<report::Advice> advices = report::advices(report);
  const auto affordable = [&](std::size_t simulations) {
    return questions.instructions_max == 0 ||
           instructions * simulations <= questions.instructions_max;
  };
  if (!affordable(advices.size())) return;
  std::vector<report::NextStep> tried;
  if (affordable(advices.size() + simulations_of_changes)) tried = changed();
  for (const report::Advice& advice : advices) {
    tried.push_back({.text = advice.text,
                     .time = least_time(advice, machine, instances, simulate),
                     .is_limit = true});
  }
  report.next_steps = report::gaining(report, std::move(tried));
  report.try_next = report::describe(report, report.next_steps);
}

using Rewrites = std::map<const Ordered*, std::vector<compiler::Rewrite>>;
using Grid = std::vector<const Ordered*>;  // of one rank

std::map<std::int32_t, Grid> grids_of(Instances instances) {
  std::map<std::int32_t, Grid> grids;
  for (const auto& instance : instances) grids[instance->rank()].push_back(&instance->ordered());
  return grids;
}

// The kernels of a grid, changed in one way where there is something to change.
std::vector<isa::Program> changed_kernels(const Grid& grid, const std::string& change,
                                          const Rewrites& all) {
  std::vector<isa::Program> kernels;
  for (const Ordered* const core : grid) {
    const std::vector<compiler::Rewrite>& list = all.at(core);
    const auto rewrite = std::ranges::find(list, change, &compiler::Rewrite::text);
    kernels.push_back(rewrite == list.end() ? *core->kernel : rewrite->kernel);
  }
  return kernels;
}

using OrderedOf = std::function<const Ordered&(const Instance&)>;

// What the instances take together in their author's order; nothing where no other order was tried.
std::optional<base::Ticks> as_written_time(Instances instances, const machine::Machine& machine,
                                           const engines::Watch& watch,
                                           const machine::System* system,
                                           const OrderedOf& ordered_of) {
  const auto was_tried = [&](const auto& instance) {
    const Ordered& one = ordered_of(*instance);
    const bool is_kept = one.as_written || one.order.starts_with("author");
    return one.as_written_time.has_value() && (is_kept || instances.size() == 1);
  };
  if (instances.empty() || !std::ranges::all_of(instances, was_tried)) return std::nullopt;
  if (instances.size() == 1) return ordered_of(*instances.front()).as_written_time;
  return time_of(instances, machine, watch, system,
                 [&](const Instance& instance) -> const isa::Program& {
                   const Ordered& one = ordered_of(instance);
                   return one.as_written ? *one.as_written : one.program;
                 });
}

// A step with each kernel changed in one way, or nothing where that cannot be done.
std::optional<report::NextStep> changed_step(Instances instances, const machine::Machine& machine,
                                             const Questions& questions,
                                             const compiler::Rewrite& change, const Rewrites& all) {
  const std::map<std::int32_t, Grid> grids = grids_of(instances);
  compiler::Options options = change.options;
  if (questions.watch) options.pulse = [&] { questions.watch({}); };
  try {
    std::map<Grid, std::vector<Ordered>> made;
    for (const auto& [rank, grid] : grids) {
      if (made.contains(grid)) continue;
      auto compiled = ordered_grid(changed_kernels(grid, change.text, all), machine, options);
      auto* const cores = std::get_if<std::vector<Ordered>>(&compiled);
      if (cores == nullptr) return std::nullopt;  // no room
      made[grid] = std::move(*cores);
    }
    std::map<const Instance*, const Ordered*> of_instance;
    std::map<std::int32_t, std::size_t> next;
    for (const auto& instance : instances)
      of_instance[instance.get()] =
          &made.at(grids.at(instance->rank())).at(next[instance->rank()]++);
    const OrderedOf ordered_of = [&](const Instance& instance) -> const Ordered& {
      return *of_instance.at(&instance);
    };
    const bool is_written = std::ranges::all_of(
        of_instance, [](const auto& each) { return each.second->order.starts_with("author"); });
    const machine::System* const system = questions.system.get();
    return report::NextStep{
        .text = change.text,
        .time = time_of(instances, machine, questions.watch, system,
                        [&](const Instance& instance) -> const isa::Program& {
                          return ordered_of(instance).program;
                        }),
        .order = std::string(is_written ? "author" : compiler::schedule_name(change.options)),
        .as_written =
            is_written ? std::nullopt
                       : as_written_time(instances, machine, questions.watch, system, ordered_of)};
  } catch (const base::InputError&) {  // the change is not legal here
  } catch (const base::Fault&) {
  }
  return std::nullopt;
}

// What changes of the kernel gain: each is made, compiled and simulated.
std::vector<report::NextStep> changes(Instances instances, const machine::Machine& machine,
                                      const Questions& questions) {
  Rewrites all;
  for (const auto& instance : instances) {
    const Ordered& one = instance->ordered();
    if (!one.kernel) return {};
    if (!all.contains(&one)) all[&one] = compiler::rewrites(*one.kernel, one.options, machine.core);
  }
  std::vector<report::NextStep> steps;
  const std::vector<compiler::Rewrite>& first = all.at(&instances.front()->ordered());
  for (const compiler::Rewrite& rewrite : first) {
    if (auto step = changed_step(instances, machine, questions, rewrite, all))
      steps.push_back(std::move(*step));
  }
  return steps;
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
  if (questions.advice) {
    advise(report, machine, instances, questions, instructions, simulate,
           [&] { return changes(instances, machine, questions); });
  }
  if (!questions.interval) return;
  const std::vector<std::string> keys = timing_keys(report);
  const std::uint64_t work = instructions * (2 * keys.size() + 2);
  if (questions.instructions_max != 0 && work > questions.instructions_max) {
    report.no_answer = fmt::format(
        "this takes {} simulated instructions; ask for the interval to run it anyway", work);
    return;
  }
  report.interval = report::bracket_of(machine, keys, report.duration, simulate);
  keep_moving(report);
}

std::optional<base::Ticks> as_written_time(Instances instances, const machine::Machine& machine,
                                           const engines::Watch& watch,
                                           const machine::System* system) {
  return as_written_time(
      instances, machine, watch, system,
      [](const Instance& instance) -> const Ordered& { return instance.ordered(); });
}

}  // namespace trainyard::session
