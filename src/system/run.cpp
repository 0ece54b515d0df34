#include "system/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "engines/core_state.h"
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

// Handles events until none is left.
void drain(events::Queue& queue, const engines::TimedCore& core, const RunOptions& options) {
  if (!options.watch) return queue.run();
  while (queue.step()) {
    if (queue.handled() % engines::steps_between_looks == 0) {
      const std::uint64_t done = options.values ? core.applied() : core.executed();
      options.watch({.instructions = done, .time = queue.now()});
    }
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

RunResult run(const isa::Program& program, const machine::Machine& machine,
              isa::Execution& execution, const RunOptions& options) {
  const TrackIds tracks = ids(program, machine);
  events::Queue queue;
  memory::HbmStack hbm(machine.chip, options.recorder, tracks.stack);
  std::optional<engines::Checkers> checkers;
  if (options.values && options.checks) checkers.emplace(program, execution, options.keep_findings);
  engines::TimedCore core(program, execution, queue,
                          {.values = options.values,
                           .recorder = options.recorder,
                           .checkers = checkers ? &*checkers : nullptr,
                           .tracks = tracks.core});
  memory::DmaEngines dma(machine.core, queue, hbm, core, options.recorder, tracks.dma);
  core.connect(dma);
  core.start();
  drain(queue, core, options);
  core.check_finished();

  RunResult result;
  result.time = core.end();
  for (int e = 0; e < isa::engine_count; ++e) {
    EngineSummary& summary = result.engines[static_cast<std::size_t>(e)];
    summary.reasons = core.account(static_cast<isa::Engine>(e)).totals();
    // What is left of the run, the engine was idle.
    summary.reasons.ticks[trace::index(trace::Reason::idle)] +=
        (result.time - summary.reasons.total()).value;
    summary.instructions =
        static_cast<std::int64_t>(program.streams[static_cast<std::size_t>(e)].size());
  }
  result.dma_active = dma.active();
  result.dma_engine_busy = dma.engine_busy();
  result.hbm_busy = hbm.busy();
  result.throttled = core.throttled();
  result.activity = activity_of(program, core.executions());
  result.events = queue.handled();
  if (checkers) result.findings = checkers->findings().list();
  if (options.recorder != nullptr) {
    options.recorder->count_executions(core.executions());
    options.recorder->finish(result.time);
  }
  return result;
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
