#include "system/core_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace trainyard::system {

namespace {

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

}  // namespace

TrackIds track_ids(const isa::Program& program, const machine::Machine& machine) {
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

CoreRun::CoreRun(const CoreJob& job, const machine::Machine& machine, events::Queue& queue,
                 memory::HbmStack& hbm, engines::MeetingPoint& meetings, std::size_t index,
                 const RunOptions& options)
    : job_(job),
      tracks_(job.recorder == nullptr ? TrackIds{} : track_ids(job.program, machine)),
      core_(job.program, job.execution, queue,
            {.values = options.values,
             .unknown_once = options.unknown_once,
             .recorder = job.recorder,
             .observer = job.observer,
             .tracks = tracks_.core}),
      dma_(machine.core, queue, hbm, core_, job.recorder, tracks_.dma) {
  core_.connect(dma_, meetings, index);
}

std::unique_ptr<LoopFolder> CoreRun::folder(events::Queue& queue, memory::HbmStack& hbm) {
  auto folder = std::make_unique<LoopFolder>(
      LoopFolder::Parts{job_.program, core_, dma_, hbm, queue, job_.recorder});
  return folder->has_loops() ? std::move(folder) : nullptr;
}

std::string CoreRun::waits_for() const {
  std::vector<std::string> found;
  for (const std::uint32_t i : core_.waits_at())
    found.push_back(isa::describe(job_.program, i, job_.rank()));
  return fmt::format("{}", fmt::join(found, " and "));
}

std::string CoreRun::place() const {
  const std::vector<std::uint32_t> at = core_.waits_at();
  return at.empty() ? "" : job_.program.place(at.front());
}

RunResult CoreRun::finish(std::uint64_t events, const memory::HbmStack& hbm) const {
  core_.check_finished();
  if (job_.observer != nullptr) job_.observer->finish();
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
  result.events = events;
  if (job_.recorder != nullptr) {
    job_.recorder->count_executions(as_recorded(core_.executions()));
    job_.recorder->finish(result.time);
  }
  return result;
}

}  // namespace trainyard::system
