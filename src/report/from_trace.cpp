#include "report/from_trace.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/stable_sort.h"
#include "report/next_step.h"
#include "report/usage.h"

namespace trainyard::report {
namespace {

constexpr std::size_t no_engine = isa::engine_count;

// The engine that ran each instruction; none for one that several ran, as sequencers do.
std::vector<std::size_t> engines_of(const trace::TraceFile& trace) {
  std::vector<std::size_t> engines(trace.labels().size(), no_engine);
  std::vector<bool> is_shared(engines.size());
  for (std::uint32_t t = 0; t < trace.track_count(); ++t) {
    if (trace.track(trace::TrackId{t}).kind != trace::TrackKind::engine) continue;
    for (const trace::Interval& each :
         trace.intervals(trace::TrackId{t}, base::Ticks{0}, trace.end())) {
      if (each.instruction >= engines.size()) continue;
      std::size_t& engine = engines[each.instruction];
      if (engine != no_engine && engine != t) is_shared[each.instruction] = true;
      engine = t;
    }
  }
  for (std::size_t i = 0; i < engines.size(); ++i)
    if (is_shared[i] || engines[i] >= isa::engine_count) engines[i] = no_engine;
  return engines;
}

// Folded by place; lines that take the same time are in the order of their places.
std::vector<Line> lines_of(const trace::TraceFile& trace) {
  const trace::Labels& labels = trace.labels();
  const trace::Summary& summary = trace.summary();
  const std::vector<std::size_t> engines = engines_of(trace);
  struct Group {
    Line line;
    std::map<std::string_view, base::Ticks> mnemonics;
  };
  std::map<std::string, Group> groups;
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    if (summary.executions(i) == 0) continue;
    const std::string place = labels.place(i);
    Group& group = groups[place];
    group.line.place = place;
    if (const std::uint32_t frame = labels[i].frame; frame != trace::no_frame)
      group.line.function = labels.string(labels.frame(frame).function);
    const trace::ReasonTotals engine = summary.of_instruction(trace::Side::engine, i);
    group.line.executions += summary.executions(i);
    group.line.engine += engine;
    if (engines[i] != no_engine) group.line.busy_on[engines[i]] += busy(engine);
    group.line.service += summary.of_instruction(trace::Side::service, i);
    group.mnemonics[labels.string(labels[i].mnemonic)] += engine.total();
  }
  std::vector<Line> lines;
  for (auto& [place, group] : groups) {
    std::vector<std::pair<std::string_view, base::Ticks>> order(group.mnemonics.begin(),
                                                                group.mnemonics.end());
    base::stable_sort(order, std::ranges::greater{}, [](const auto& e) { return e.second; });
    for (const auto& [mnemonic, ticks] : order) {
      if (!group.line.mnemonics.empty()) group.line.mnemonics += ", ";
      group.line.mnemonics += mnemonic;
    }
    lines.push_back(std::move(group.line));
  }
  base::stable_sort(lines, std::ranges::greater{},
                    [](const Line& line) { return line.engine.total(); });
  return lines;
}

}  // namespace

Report report_of(const trace::TraceFile& trace) {
  std::vector<trace::Track> tracks;
  for (std::uint32_t t = 0; t < trace.track_count(); ++t)
    tracks.push_back(trace.track(trace::TrackId{t}));
  Report report;
  report.run = trace.metadata();
  report.duration = trace.end();
  report.tracks = usage_of(trace.summary(), tracks);
  report.bound = bound_of(report.tracks, report.duration);
  report.lines = lines_of(trace);
  return report;
}

}  // namespace trainyard::report
