#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace trainyard::report {
namespace {

using Out = std::back_insert_iterator<std::string>;
using trace::Reason;

std::string duration(base::Ticks time) {
  const double ns = base::to_nanoseconds(time);
  if (ns < 1e4) return fmt::format("{:.1f} ns", ns);
  if (ns < 1e7) return fmt::format("{:.2f} us", ns / 1e3);
  return fmt::format("{:.3f} ms", ns / 1e6);
}

std::string bytes(std::int64_t count) {
  constexpr std::array<std::string_view, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(count);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 2, units[unit]);
}

double percent(base::Ticks part, base::Ticks whole) {
  return whole.value == 0
             ? 0
             : 100 * static_cast<double>(part.value) / static_cast<double>(whole.value);
}

// The words of a reason's column: "waiting_semaphore" is "semaphore".
std::string_view column(Reason reason) {
  std::string_view word = name(reason);
  if (word.starts_with("waiting_")) word.remove_prefix(8);
  return word;
}

void headline(Out out, const Report& report) {
  fmt::format_to(out, "{} on {}: {}; bound by {}: {}.\n", report.run.program, report.run.machine,
                 duration(report.duration), report.bound.name, report.bound.why);
  if (report.limits.empty()) return;
  fmt::format_to(out, "{:.1f} % of the speed of light, {}, which {} sets.\n",
                 100 * report.speed_of_light(), duration(report.ticks_min()),
                 report.limits.front().name);
}

// One row a track. Sixteen DMA engines say little one by one, so tracks that never worked are left
// out.
void tracks(Out out, const Report& report) {
  std::vector<Reason> reasons;
  for (const Reason reason : trace::all_reasons()) {
    const auto occurs = [&](const TrackUsage& track) {
      return track.totals.of(reason) > base::Ticks{0};
    };
    if (std::ranges::any_of(report.tracks, occurs)) reasons.push_back(reason);
  }
  fmt::format_to(out, "\nWhere the time went, in % of the run (each row adds up to 100)\n{:<14}",
                 "");
  for (const Reason reason : reasons) fmt::format_to(out, "{:>10}", column(reason));
  fmt::format_to(out, "\n");
  for (const TrackUsage& track : report.tracks) {
    if (track.totals.of(Reason::idle) == report.duration) continue;
    fmt::format_to(out, "{:<14}", track.name);
    for (const Reason reason : reasons) fmt::format_to(out, "{:>10.1f}", 100 * track.share(reason));
    if (!track.waits_for.empty())
      fmt::format_to(out, "  mostly for {}", track.waits_for.front().name);
    fmt::format_to(out, "\n");
  }
}

void speed(Out out, const Report& report) {
  fmt::format_to(out, "\nSpeed of light (what each unit needs at its full rate)\n");
  for (const Limit& limit : report.limits) {
    fmt::format_to(out, "  {:<18}{:>12}  {:5.1f} % of the run\n", limit.name,
                   duration(limit.ticks_min), 100 * limit.share);
  }
  for (const Throughput& rate : report.throughput) {
    fmt::format_to(out, "  {:<18}{:>12.2f} TFLOPS of {:.1f} peak ({:.1f} %)\n", rate.format,
                   rate.teraflops, rate.teraflops_peak, 100 * rate.share);
  }
  const Roofline& roofline = report.roofline;
  if (roofline.intensity > 0) {
    fmt::format_to(out,
                   "  roofline: {:.1f} FLOP per HBM byte (ridge {:.1f}): {:.1f} TFLOPS attainable, "
                   "{:.1f} achieved\n",
                   roofline.intensity, roofline.ridge, roofline.teraflops_attainable,
                   roofline.teraflops);
  }
}

void memory(Out out, const Report& report) {
  fmt::format_to(out, "\nBytes\n");
  for (const Traffic& traffic : report.traffic) {
    fmt::format_to(out, "  {:<5} read {:>12}, written {:>12}: {:.1f} GB/s", traffic.memory,
                   bytes(traffic.bytes.read), bytes(traffic.bytes.written),
                   traffic.gigabytes_per_second);
    if (traffic.gigabytes_per_second_peak) {
      fmt::format_to(out, " of {:.1f} ({:.1f} %)", *traffic.gigabytes_per_second_peak,
                     100 * traffic.gigabytes_per_second / *traffic.gigabytes_per_second_peak);
    }
    fmt::format_to(out, "\n");
  }
}

template <typename Unit>
std::string estimate(const economics::Estimate<Unit>& each, double factor, std::string_view unit) {
  return fmt::format("{:.3g} {} ({:.3g} to {:.3g}, {})", each.value.value * factor, unit,
                     each.low.value * factor, each.high.value * factor, machine::name(each.kind));
}

void energy(Out out, const Report& report) {
  fmt::format_to(out, "\nEnergy {}, {:.1f} W on average\n",
                 estimate(report.energy.total, 1e6, "uJ"), report.energy.watts(report.duration));
  std::vector<economics::EnergyPart> parts = report.energy.parts;
  std::ranges::stable_sort(parts, std::ranges::greater{},
                           [](const auto& part) { return part.energy.value.value; });
  for (const economics::EnergyPart& part : parts) {
    fmt::format_to(out, "  {:<26}{:>12.3f} uJ\n", part.key, part.energy.value.value * 1e6);
  }
  for (const Cost& cost : report.costs) {
    fmt::format_to(out, "  a million runs, {}: {}\n", cost.basis,
                   estimate(cost.dollars, 1e6, "dollars"));
  }
  if (report.electricity) {
    fmt::format_to(out, "  of which electricity: {}\n",
                   estimate(*report.electricity, 1e6, "dollars"));
  }
}

std::string main_reasons(const trace::ReasonTotals& totals) {
  std::vector<Reason> reasons;
  for (const Reason reason : trace::all_reasons()) {
    if (totals.of(reason) > base::Ticks{0}) reasons.push_back(reason);
  }
  std::ranges::stable_sort(reasons, std::ranges::greater{},
                           [&](Reason reason) { return totals.of(reason); });
  std::string text;
  for (const Reason reason : reasons) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name(reason),
                        percent(totals.of(reason), totals.total()));
  }
  return text;
}

void lines(Out out, const Report& report, std::size_t lines_max) {
  fmt::format_to(out, "\nEngine time by source line (of {} lines)\n", report.lines.size());
  for (std::size_t i = 0; i < std::min(lines_max, report.lines.size()); ++i) {
    const Line& line = report.lines[i];
    fmt::format_to(out, "  {:>12}  {:<24} {:<28} x{:<8} {}\n", duration(line.engine.total()),
                   line.place.empty() ? "(no source)" : line.place, line.mnemonics, line.executions,
                   main_reasons(line.engine));
  }
}

void path(Out out, const Report& report) {
  if (!report.critical_path) return;
  fmt::format_to(out, "\nCritical path ({} segments)\n", report.critical_path->segments.size());
  for (const PathPart& part : report.critical_path->parts) {
    fmt::format_to(out, "  {:5.1f} %  {} {}\n", percent(part.ticks, report.duration),
                   report.tracks[index(part.track)].name, name(part.reason));
  }
}

void assumptions(Out out, const Report& report, std::size_t assumptions_max) {
  const std::size_t count = report.assumptions.size();
  fmt::format_to(out, "\nThis answer leans on {} figures that nobody has published\n", count);
  for (std::size_t i = 0; i < std::min(assumptions_max, count); ++i) {
    const Assumption& a = report.assumptions[i];
    fmt::format_to(out, "  {} = {} {} ({}", a.key, a.value, a.unit, a.kind);
    if (!a.low.empty()) fmt::format_to(out, ", {} to {}", a.low, a.high);
    fmt::format_to(out, "): {}\n", a.source);
  }
  if (count > assumptions_max) fmt::format_to(out, "  and {} more\n", count - assumptions_max);
}

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) {
  std::string text;
  const Out out(text);
  headline(out, report);
  tracks(out, report);
  speed(out, report);
  memory(out, report);
  energy(out, report);
  lines(out, report, options.lines_max);
  path(out, report);
  assumptions(out, report, options.assumptions_max);
  fmt::format_to(out, "\nReproduce: trainyard {}, machine {} ({:016x}), program {:016x}, seed {}\n",
                 report.run.version, report.run.machine, report.run.machine_hash,
                 report.run.program_hash, report.run.seed);
  return text;
}

}  // namespace trainyard::report
