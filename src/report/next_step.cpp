#include "report/next_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/format.h"

namespace trainyard::report {
namespace {

using trace::Reason;

const TrackUsage* engine_called(const Report& report, std::string_view name) {
  const auto found = std::ranges::find_if(report.tracks, [&](const TrackUsage& track) {
    return track.kind == trace::TrackKind::engine && track.name == name;
  });
  return found == report.tracks.end() ? nullptr : &*found;
}

// " (most of its time goes to kernel.py:12: activation)" of the line that the engine works longest.
std::string heaviest_line(const Report& report, std::string_view engine) {
  const auto on_engine = [&](const Line& line) {
    base::Ticks ticks;
    for (std::size_t e = 0; e < line.busy_on.size(); ++e)
      if (isa::name(static_cast<isa::Engine>(e)) == engine) ticks = line.busy_on[e];
    return ticks;
  };
  const auto line = std::ranges::max_element(report.lines, {}, on_engine);
  if (line == report.lines.end() || line->place.empty()) return {};
  const std::size_t slash = line->place.rfind('/');
  const std::string place =
      slash == std::string::npos ? line->place : line->place.substr(slash + 1);
  return fmt::format(" (most of its work is at {}: {})", place, line->mnemonics);
}

// The queue of collectives that waits for other ranks for more than a third of the run.
const TrackUsage* waiting_for_ranks(const Report& report) {
  const auto found = std::ranges::find_if(report.tracks, [&](const TrackUsage& track) {
    return track.kind == trace::TrackKind::dma_queue &&
           track.totals.of(Reason::waiting_peer) * 3 > report.duration;
  });
  return report.collectives.empty() || found == report.tracks.end() ? nullptr : &*found;
}

}  // namespace

base::Ticks busy(const trace::ReasonTotals& totals) {
  return totals.of(Reason::working) + totals.of(Reason::overhead);
}

base::Ticks waiting(const trace::ReasonTotals& totals) {
  base::Ticks sum;
  for (const Reason reason : trace::all_reasons()) {
    if (trace::is_waiting(reason)) sum += totals.of(reason);
  }
  return sum;
}

std::string next_step(const Report& report) {
  if (report.bound.name == "dma" || report.bound.name == "hbm") {
    return "move fewer bytes (keep in SBUF what is used again), or move them in larger pieces";
  }
  if (const TrackUsage* queue = waiting_for_ranks(report); queue != nullptr) {
    return fmt::format(
        "ranks wait for each other for {:.0f} % of the run: give them as much work, or look at the "
        "one that comes last to its collectives",
        percent(queue->totals.of(Reason::waiting_peer), report.duration));
  }
  const TrackUsage* busiest = engine_called(report, report.bound.busiest);
  if (busiest != nullptr &&
      busiest->totals.of(Reason::overhead) > busiest->totals.of(Reason::working)) {
    return fmt::format(
        "{} mostly issues transfers: use fewer and larger ones, or issue some from "
        "another engine{}",
        busiest->name, heaviest_line(report, busiest->name));
  }
  if (report.bound.name != "latency") {
    return fmt::format("give {} fewer or larger instructions, or move some to another engine{}",
                       report.bound.name, heaviest_line(report, report.bound.name));
  }
  if (busiest == nullptr || busiest->waits_for.empty())
    return "start loads earlier, so that engines work while data moves";
  return fmt::format(
      "{} waits {:.0f} % of the run, mostly for {}: give it something else to do meanwhile (more "
      "tiles in flight)",
      busiest->name, percent(waiting(busiest->totals), report.duration),
      busiest->waits_for.front().name);
}

}  // namespace trainyard::report
