#include "report/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace trainyard::report {
namespace {

// Keys stay in the order written, so that equal reports are equal text.
using Json = nlohmann::ordered_json;

double nanoseconds(base::Ticks time) { return base::to_nanoseconds(time); }
std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

// Only reasons that occur.
Json json(const trace::ReasonTotals& totals) {
  Json result = Json::object();
  for (const trace::Reason reason : trace::all_reasons()) {
    if (totals.of(reason) > base::Ticks{0})
      result[std::string(name(reason))] = totals.of(reason).value;
  }
  return result;
}

Json json(const BytesMoved& bytes) { return {{"read", bytes.read}, {"written", bytes.written}}; }

Json json(const TrackUsage& track) {
  Json waits = Json::array();
  for (const Part& part : track.waits_for) {
    waits.push_back({{"track", part.name}, {"ticks", part.ticks.value}, {"share", part.share}});
  }
  return {{"name", track.name},
          {"kind", name(track.kind)},
          {"core", track.core},
          {"ticks", json(track.totals)},
          {"waits_for", waits}};
}

Json json(const Line& line, std::string_view what) {
  Json result = {{std::string(what), line.place},     {"function", line.function},
                 {"mnemonics", line.mnemonics},       {"executions", line.executions},
                 {"engine_ticks", json(line.engine)}, {"service_ticks", json(line.service)}};
  Json engines = Json::object();
  for (std::size_t e = 0; e < line.busy_on.size(); ++e) {
    if (line.busy_on[e] > base::Ticks{0})
      engines[std::string(isa::name(static_cast<isa::Engine>(e)))] = line.busy_on[e].value;
  }
  result["busy_on"] = std::move(engines);
  if (!line.library.empty()) result["library"] = line.library;
  if (line.slack) result["slack_ticks"] = line.slack->value;
  return result;
}

Json json(const Roofline& roofline) {
  return {{"flop_per_hbm_byte", roofline.intensity},
          {"ridge", roofline.ridge},
          {"teraflops", roofline.teraflops},
          {"teraflops_peak", roofline.teraflops_peak},
          {"teraflops_attainable", roofline.teraflops_attainable}};
}

Json json(const Throughput& rate) {
  return {{"format", rate.format},
          {"macs", rate.macs},
          {"teraflops", rate.teraflops},
          {"teraflops_peak", rate.teraflops_peak},
          {"share", rate.share}};
}

Json json(const Collective& each) {
  return {{"place", each.place},          {"mnemonic", each.mnemonic},
          {"algorithm", each.algorithm},  {"steps", each.steps},
          {"ranks", each.ranks},          {"bytes", each.bytes},
          {"executions", each.executions}};
}

Json json(const Traffic& traffic) {
  Json result = {{"memory", traffic.memory},
                 {"bytes", json(traffic.bytes)},
                 {"gigabytes_per_second", traffic.gigabytes_per_second}};
  if (traffic.gigabytes_per_second_peak)
    result["gigabytes_per_second_peak"] = *traffic.gigabytes_per_second_peak;
  return result;
}

template <typename Unit>
Json json(const economics::Estimate<Unit>& estimate) {
  return {{"value", estimate.value.value},
          {"low", estimate.low.value},
          {"high", estimate.high.value},
          {"kind", machine::name(estimate.kind)}};
}

Json json(const economics::EnergyPart& part) {
  return {{"key", part.key}, {"count", part.count}, {"joules", json(part.energy)}};
}

Json json(const Cost& cost) { return {{"basis", cost.basis}, {"dollars", json(cost.dollars)}}; }

Json json(const NextStep& step) {
  Json result = {{"change", step.text},
                 {"time_ns", nanoseconds(step.time)},
                 {"simulated", step.is_limit ? "without the cost" : "the changed kernel"}};
  if (!step.order.empty()) result["schedule"] = step.order;
  if (step.as_written) result["as_written_ns"] = nanoseconds(*step.as_written);
  return result;
}
Json json(const Limit& limit) {
  return {{"unit", limit.name}, {"ticks_min", limit.ticks_min.value}, {"share", limit.share}};
}

Json json(const Assumption& a) {
  Json result = {{"key", a.key},   {"value", a.value},   {"unit", a.unit},
                 {"kind", a.kind}, {"source", a.source}, {"effect", machine::name(a.effect)}};
  if (!a.low.empty()) {
    result["low"] = a.low;
    result["high"] = a.high;
  }
  return result;
}

Json json(const Influence& figure) {
  return {{"key", figure.key},
          {"ticks_at_low", figure.at_low.value},
          {"ticks_at_high", figure.at_high.value}};
}

Json json(const WhatIf& what_if, const Report& report) {
  const auto ticks = static_cast<double>(what_if.time.value);
  return {{"name", what_if.change.name},
          {"set", what_if.change.settings},
          {"duration_ns", nanoseconds(what_if.time)},
          {"duration_ticks", what_if.time.value},
          {"gain", 1 - ticks / static_cast<double>(report.duration.value)}};
}

Json json(const CriticalPath& path, const Report& report) {
  Json parts = Json::array();
  for (const PathPart& part : path.parts) {
    parts.push_back({{"track", report.tracks[index(part.track)].name},
                     {"reason", name(part.reason)},
                     {"ticks", part.ticks.value}});
  }
  Json lines = Json::array();
  for (const PathLine& line : path.lines)
    lines.push_back({{"place", line.place}, {"ticks", line.ticks.value}});
  return {{"segments", path.segments.size()}, {"parts", parts}, {"lines", lines}};
}

template <typename Items, typename... Arguments>
Json list(const Items& items, Arguments... arguments) {
  Json result = Json::array();
  for (const auto& item : items) result.push_back(json(item, arguments...));
  return result;
}

Json run_of(const Report& report) {
  Json more = Json::object();
  for (const auto& [key, value] : report.run.more) more[key] = value;
  return {{"program", report.run.program},
          {"program_hash", hash_text(report.run.program_hash)},
          {"machine", report.run.machine},
          {"machine_title", report.machine_title},
          {"machine_hash", hash_text(report.run.machine_hash)},
          {"trainyard", report.run.version},
          {"more", more}};
}

}  // namespace

std::string to_json(const Report& report) {
  Json result = {{"schema", "trainyard.report"},
                 {"version", report_format_version},
                 {"run", run_of(report)},
                 {"duration_ns", nanoseconds(report.duration)},
                 {"duration_ticks", report.duration.value},
                 {"ticks_per_ns", base::ticks_per_nanosecond},
                 {"bound",
                  {{"name", report.bound.name},
                   {"busiest", report.bound.busiest},
                   {"busy", report.bound.busy},
                   {"why", report.bound.why}}},
                 {"speed_of_light",
                  {{"share", report.speed_of_light()},
                   {"ticks_min", report.ticks_min().value},
                   {"limits", list(report.limits)}}},
                 {"units", list(report.units)},
                 {"tracks", list(report.tracks)},
                 {"throughput", list(report.throughput)},
                 {"roofline", json(report.roofline)},
                 {"traffic", list(report.traffic)},
                 {"collectives", list(report.collectives)},
                 {"energy",
                  {{"joules", json(report.energy.total)},
                   {"watts", report.energy.watts(report.duration)},
                   {"parts", list(report.energy.parts)}}},
                 {"lines", list(report.lines, "place")},
                 {"operations", list(report.operations, "place")},
                 {"mnemonics", list(report.mnemonics, "mnemonic")},
                 {"assumptions", list(report.assumptions)}};
  if (report.as_written) {
    result["as_written_ns"] = nanoseconds(*report.as_written);
    result["as_written_ticks"] = report.as_written->value;
  }
  if (!report.try_next.empty()) {
    result["try_next"] = report.try_next;
    result["next_steps"] = list(report.next_steps);
  }
  if (report.electricity) {
    result["dollars"] = {{"rent", list(report.costs)}, {"electricity", json(*report.electricity)}};
  }
  if (report.interval) {
    result["interval"] = {{"low_ns", nanoseconds(report.interval->low)},
                          {"high_ns", nanoseconds(report.interval->high)},
                          {"low_ticks", report.interval->low.value},
                          {"high_ticks", report.interval->high.value},
                          {"tried", report.interval->tried},
                          {"figures", list(report.interval->figures)}};
  }
  if (!report.what_ifs.empty()) result["what_ifs"] = list(report.what_ifs, report);
  if (!report.no_answer.empty()) result["no_answer"] = report.no_answer;
  if (report.critical_path) result["critical_path"] = json(*report.critical_path, report);
  return result.dump(1);
}

}  // namespace trainyard::report
