#include "runtime/time_only.h"

#include <algorithm>
#include <utility>

#include "engines/core_state.h"
#include "system/empty_core.h"
#include "system/run.h"

namespace trainyard::runtime {

std::shared_ptr<trace::Recorder> make_recorder(const isa::Program& program,
                                               const machine::Machine& machine,
                                               trace::Detail detail) {
  return std::make_shared<trace::Recorder>(system::tracks(program, machine),
                                           program.instructions.size(), detail);
}

std::vector<TimedRun> time_only(std::span<const Unloaded> cores, const machine::Machine& machine,
                                const TimeOnlyOptions& options) {
  const std::shared_ptr<state::Hbm> stack = engines::make_stack(machine);
  std::vector<std::unique_ptr<system::EmptyCore>> empty;
  std::vector<std::shared_ptr<trace::Recorder>> recorders;
  std::vector<system::CoreJob> jobs;
  for (const auto& [program, rank] : cores) {
    empty.push_back(std::make_unique<system::EmptyCore>(*program, machine, stack));
    recorders.push_back(options.record ? make_recorder(*program, machine, trace::Detail::summary)
                                       : nullptr);
    empty.back()->execution.rank = rank;
    jobs.push_back({*program, empty.back()->execution, recorders.back().get()});
  }
  std::vector<TimedRun> timings;
  for (system::RunResult& one : system::run_together(
           jobs, machine, {.values = false, .watch = options.watch, .system = options.system})) {
    const auto recorder = recorders[one.ran_as];
    timings.push_back({std::move(one), recorder});
  }
  return timings;
}

GridTime grid_time(std::span<const TimedRun> cores, const machine::Machine& machine) {
  const system::RunResult& slowest = std::ranges::max_element(cores, {}, [](const TimedRun& core) {
                                       return core.result.time;
                                     })->result;
  base::Ticks busiest =
      std::max(slowest.hbm_busy, {slowest.dma_engine_busy.value / machine.core.dma.engines});
  for (const system::EngineSummary& engine : slowest.engines) {
    busiest = std::max(busiest, engine.reasons.of(trace::Reason::working) +
                                    engine.reasons.of(trace::Reason::overhead));
  }
  return {slowest.time, busiest};
}

}  // namespace trainyard::runtime
