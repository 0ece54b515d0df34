#include "report/from_trace.h"

#include <span>
#include <vector>

#include "report/lines.h"
#include "report/next_step.h"
#include "report/usage.h"

namespace trainyard::report {
namespace {

constexpr std::size_t no_engine = isa::engine_count;

// The engine that ran each instruction; none for one that several ran, as sequencers do. A chunk at
// a time: a long trace has more rows than there is room for.
std::vector<std::size_t> engines_of(const trace::TraceFile& file, std::size_t instructions) {
  std::vector<std::size_t> engines(instructions, no_engine);
  std::vector<bool> is_shared(instructions);
  const trace::Directory& directory = file.directory();
  for (const trace::StreamEntry& stream : directory.streams) {
    const std::size_t t = trace::index(stream.set.first);
    if (directory.tracks[t].kind != trace::TrackKind::engine) continue;
    for (const trace::ChunkEntry& chunk : stream.chunks) {
      for (const trace::Interval& each : file.rows(chunk)) {
        if (each.instruction >= engines.size()) continue;
        std::size_t& engine = engines[each.instruction];
        if (engine != no_engine && engine != t) is_shared[each.instruction] = true;
        if (stream.set.size() > 1) is_shared[each.instruction] = true;
        engine = t;
      }
    }
  }
  for (std::size_t i = 0; i < engines.size(); ++i)
    if (is_shared[i] || engines[i] >= isa::engine_count) engines[i] = no_engine;
  return engines;
}

Origins origins_of(const trace::Labels& labels, std::span<const std::size_t> engines) {
  Origins origins{.frames = {{}}, .of = {}};
  for (std::uint32_t f = 0; f < labels.frame_count(); ++f) {
    const trace::Frame& frame = labels.frame(f);
    origins.frames.push_back({.file = labels.string(frame.file),
                              .function = labels.string(frame.function),
                              .line = frame.line,
                              .caller = frame.parent + 1});
  }
  origins.of = [&labels, engines](std::uint32_t i) -> Origins::Origin {
    if (i >= labels.size()) return {};
    return {.frame = labels[i].frame + 1,
            .kind = labels[i].mnemonic,
            .mnemonic = labels.string(labels[i].mnemonic),
            .engine = engines[i]};
  };
  return origins;
}

}  // namespace

Report report_of(const trace::TraceFile& trace) {
  const std::vector<std::size_t> engines = engines_of(trace, trace.labels().size());
  Report report;
  report.run = trace.metadata();
  report.duration = trace.end();
  report.tracks = usage_of(trace.summary(), trace.directory().tracks);
  report.bound = bound_of(report.tracks, report.duration);
  if (trace.labels().size() > 0)
    report.lines = lines_of(origins_of(trace.labels(), engines), trace.summary()).lines;
  return report;
}

}  // namespace trainyard::report
