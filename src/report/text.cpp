#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>

#include "base/stable_sort.h"
#include "report/format.h"
#include "report/next_step.h"

namespace trainyard::report {
namespace {

// Not fmt::format_to, whose formatting of all there is would be compiled once more.
template <typename... Args>
void put(std::string& out, fmt::format_string<Args...> text, Args&&... args) {
  out += fmt::format(text, std::forward<Args>(args)...);
}
using trace::Reason;

// The words of a reason's column: "waiting_semaphore" is "semaphore".
std::string_view column(Reason reason) {
  std::string_view word = name(reason);
  if (word.starts_with("waiting_")) word.remove_prefix(8);
  return word;
}

// The text in lines of at most columns_max characters, broken at spaces and indented.
std::string wrapped(std::string_view text) {
  constexpr std::size_t indent = 4;
  std::string result;
  std::size_t used = columns_max;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (used + word.size() + 1 > columns_max) {
      result += result.empty() ? "  " : "\n" + std::string(indent, ' ');
      used = indent;
    } else {
      result += ' ';
    }
    result += word;
    used += word.size() + 1;
  }
  return result + "\n";
}

// What a column says of a track, in few words; trace::prose() has sentences.
std::string_view meaning(Reason reason) {
  switch (reason) {
    case Reason::working: return "doing the work of instructions";
    case Reason::waiting_semaphore: return "waiting for the signal of another engine";
    case Reason::waiting_operand: return "waiting for its own earlier result";
    case Reason::waiting_bank: return "waiting for a memory that another engine uses";
    case Reason::waiting_queue: return "waiting for room in a DMA ring";
    case Reason::waiting_dma: return "waiting for bytes on their way";
    case Reason::waiting_link: return "waiting for a link that carries other traffic";
    case Reason::waiting_peer: return "waiting for another core";
    case Reason::throttle: return "held back by the clock limit";
    case Reason::overhead: return "issuing, and other fixed costs";
    case Reason::idle: return "nothing to do";
  }
  return {};
}

// ", list-scheduled (as written: 309.1 us)"
std::string order_of(const Report& report) {
  const std::string_view order = report.run.find("order"), schedule = report.run.find("schedule");
  if (schedule.empty()) return {};
  if (schedule == "author" || order.starts_with("author")) return ", as written";
  std::string text = ", list-scheduled";
  if (report.as_written) text += fmt::format(" (as written: {})", duration(*report.as_written));
  return text;
}

void headline(std::string& out, const Report& report) {
  put(out, "{} on {}: {}{}", report.run.program, report.run.machine, duration(report.duration),
      order_of(report));
  if (!report.limits.empty()) {
    put(out, ", {:.1f} % of the speed of light ({}, set by {})", 100 * report.speed_of_light(),
        duration(report.ticks_min()), report.limits.front().name);
  }
  if (const std::string_view core = report.run.find("core"); !core.empty()) {
    put(out,
        "\n  this is core {}: HBM use, energy and rent are of all cores, everything "
        "else of this one",
        core);
  }
  if (const std::string_view order = report.run.find("order"); !order.empty())
    put(out, "\n  order: {}", order);
  put(out, "\n  bound by {}: {}\n", report.bound.name, report.bound.why);
  if (!report.try_next.empty()) put(out, "  try next: {}\n", report.try_next);
}

std::string_view without_number(std::string_view name) {
  return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

// A row of the table of tracks, or several alike: "dma0-15 (16 alike)".
struct Row {
  std::string first, last;
  trace::TrackKind kind;
  std::size_t alike;
  std::string cells;
  std::string waits_for;

  [[nodiscard]] std::string name() const {
    if (alike == 1) return first;
    return fmt::format("{}-{} ({} alike)", first, last.substr(without_number(last).size()), alike);
  }
};

std::size_t width(Reason reason) { return std::max<std::size_t>(column(reason).size(), 5) + 2; }

// Tracks that did nothing are left out; numbered neighbours whose rows would read the same share
// one.
std::vector<Row> rows_of(const Report& report, const std::vector<Reason>& reasons) {
  std::vector<Row> rows;
  for (const TrackUsage& track : report.tracks) {
    if (track.totals.of(Reason::idle) == report.duration) continue;
    std::string cells;
    for (const Reason reason : reasons)
      cells += fmt::format("{:>{}.1f}", 100 * track.share(reason), width(reason));
    const std::string waits_for = track.waits_for.empty() ? "" : track.waits_for.front().name;
    if (!rows.empty() && rows.back().kind == track.kind && rows.back().cells == cells &&
        rows.back().waits_for == waits_for &&
        without_number(track.name) == without_number(rows.back().last) &&
        without_number(track.name) != track.name) {
      rows.back().last = track.name;
      ++rows.back().alike;
    } else {
      rows.push_back({track.name, track.name, track.kind, 1, cells, waits_for});
    }
  }
  return rows;
}

void tracks(std::string& out, const Report& report) {
  std::vector<Reason> reasons;
  for (const Reason reason : trace::all_reasons()) {
    const auto occurs = [&](const TrackUsage& track) {
      return track.totals.of(reason) > base::Ticks{0};
    };
    if (std::ranges::any_of(report.tracks, occurs)) reasons.push_back(reason);
  }
  const std::vector<Row> rows = rows_of(report, reasons);
  std::size_t name_width = 0;
  for (const Row& row : rows) name_width = std::max(name_width, row.name().size());
  put(out, "\nWhere the time went, in % of the run (each row adds up to 100)\n  {:<{}}", "",
      name_width);
  for (const Reason reason : reasons) put(out, "{:>{}}", column(reason), width(reason));
  put(out, "  waits mostly for\n");
  std::string legend;
  for (const Reason reason : reasons) {
    legend += fmt::format("{}{}: {}", legend.empty() ? "" : "; ", column(reason), meaning(reason));
  }
  for (const Row& row : rows) {
    put(out, "  {:<{}}{}{}{}\n", row.name(), name_width, row.cells,
        row.waits_for.empty() ? "" : "  ", row.waits_for);
  }
  put(out, "{}", wrapped(legend));
}

void speed(std::string& out, const Report& report) {
  const auto rows = [&](const std::vector<Limit>& list) {
    for (const Limit& limit : list) {
      put(out, "  {:<18}{:>12}  {:5.1f} % of the run\n", limit.name, duration(limit.ticks_min),
          100 * limit.share);
    }
  };
  if (!report.limits.empty()) {
    put(out,
        "\nSpeed of light (arithmetic at its full rate; arguments and results once "
        "through DMA and HBM)\n");
    rows(report.limits);
  }
  for (const Throughput& rate : report.throughput) {
    put(out, "  {:<18}{:>12.2f} TFLOPS of {:.1f} peak ({:.1f} %)\n", rate.format, rate.teraflops,
        rate.teraflops_peak, 100 * rate.share);
  }
  const Roofline& roofline = report.roofline;
  if (roofline.intensity > 0) {
    put(out,
        "  roofline: {:.1f} FLOP per HBM byte (ridge {:.1f}): {:.1f} TFLOPS attainable, "
        "{:.1f} achieved\n",
        roofline.intensity, roofline.ridge, roofline.teraflops_attainable, roofline.teraflops);
  }
  if (report.units.empty()) return;
  put(out, "\nWhat each unit needs for these instructions without waiting\n");
  rows(report.units);
}

void memory(std::string& out, const Report& report) {
  if (report.traffic.empty()) return;
  put(out, "\nBytes\n");
  for (const Traffic& traffic : report.traffic) {
    put(out, "  {:<5} read {:>12}, written {:>12}: {:.1f} GB/s", traffic.memory,
        bytes(traffic.bytes.read), bytes(traffic.bytes.written), traffic.gigabytes_per_second);
    if (traffic.gigabytes_per_second_peak) {
      put(out, " of {:.1f} ({:.1f} %)", *traffic.gigabytes_per_second_peak,
          100 * traffic.gigabytes_per_second / *traffic.gigabytes_per_second_peak);
    }
    put(out, "\n");
  }
}

void collectives(std::string& out, const Report& report) {
  if (report.collectives.empty()) return;
  std::vector<std::string_view> places;
  for (const Collective& each : report.collectives) places.push_back(each.place);
  const ShortPlaces shorter(places);
  put(out, "\nCollectives (the larger of what a rank gives and gets)\n");
  for (const Collective& each : report.collectives) {
    put(out, "  {:<18} {:>3} ranks {:>12}  {} in {} step{}  x{}  {}\n", each.mnemonic, each.ranks,
        bytes(each.bytes), each.algorithm, each.steps, each.steps == 1 ? "" : "s", each.executions,
        shorter(each.place));
  }
}

std::string dollars(const economics::Estimate<economics::Dollars>& each, double factor) {
  return fmt::format("${} (${} to ${}, {})", significant(each.value.value * factor),
                     significant(each.low.value * factor), significant(each.high.value * factor),
                     machine::name(each.kind));
}

void energy(std::string& out, const Report& report, std::size_t parts_max) {
  if (report.energy.parts.empty()) return;
  const auto& total = report.energy.total;
  put(out, "\nEnergy {} ({} to {}, {}), {:.1f} W on average\n", joules(total.value.value),
      joules(total.low.value), joules(total.high.value), machine::name(total.kind),
      report.energy.watts(report.duration));
  std::vector<economics::EnergyPart> parts = report.energy.parts;
  base::stable_sort(parts, std::ranges::greater{},
                    [](const auto& part) { return part.energy.value.value; });
  for (std::size_t i = 0; i < std::min(parts_max, parts.size()); ++i) {
    const double part = parts[i].energy.value.value;
    put(out, "  {:<24}{:>9}  {:4.1f} %\n", parts[i].key, joules(part),
        total.value.value > 0 ? 100 * part / total.value.value : 0);
  }
  for (const Cost& cost : report.costs)
    put(out, "  a million runs, {}: {}\n", cost.basis, dollars(cost.dollars, 1e6));
  if (report.electricity)
    put(out, "  of which electricity: {}\n", dollars(*report.electricity, 1e6));
}

// The engine that works longest on a line.
std::string_view main_engine(const Line& line) {
  const auto longest = std::ranges::max_element(line.busy_on);
  return isa::name(static_cast<isa::Engine>(longest - line.busy_on.begin()));
}

// "semaphore 81 %, dma 19 %" of the waits.
std::string main_waits(const trace::ReasonTotals& totals) {
  std::vector<Reason> reasons;
  for (const Reason reason : trace::all_reasons()) {
    if (trace::is_waiting(reason) && totals.of(reason) > base::Ticks{0}) reasons.push_back(reason);
  }
  base::stable_sort(reasons, std::ranges::greater{},
                    [&](Reason reason) { return totals.of(reason); });
  std::string text;
  for (const Reason reason : reasons) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", column(reason),
                        percent(totals.of(reason), waiting(totals)));
  }
  return text;
}

// "dense/dot_general" of "jit(forward)/dense/dot_general": the program's name says the rest.
std::string_view without_program(std::string_view scope) {
  const std::size_t end = scope.starts_with("jit(") ? scope.find(")/") : std::string_view::npos;
  return end == std::string_view::npos ? scope : scope.substr(end + 2);
}

// The end of a long scope says most.
std::string short_scope(std::string_view scope) {
  constexpr std::size_t width_max = 48;
  if (scope.empty()) return "(no name)";
  if (scope.size() <= width_max) return std::string(scope);
  return fmt::format("...{}", scope.substr(scope.size() - width_max + 3));
}

// "train.py:8, in linear.py:287"
std::string place_of(const Line& line, const ShortPlaces& shorter) {
  if (line.place.empty()) return "(no source)";
  if (line.library.empty()) return std::string(shorter(line.place));
  const std::string_view library = line.library;
  return fmt::format("{}, in {}", shorter(line.place), library.substr(library.rfind('/') + 1));
}

void operations(std::string& out, const Report& report, std::size_t lines_max) {
  if (report.operations.empty()) return;
  const std::size_t shown = std::min(lines_max, report.operations.size());
  base::Ticks all{};
  std::vector<std::string_view> places;
  std::size_t width = 0;
  for (const Line& line : report.operations) all += busy(line.engine) + waiting(line.engine);
  for (const Line& line : report.operations | std::views::take(shown)) {
    places.push_back(line.place);
    width = std::max(width, short_scope(without_program(line.function)).size());
  }
  const ShortPlaces shorter(places);
  put(out, "\nEngine time by operation of the model ({} of {})\n  {:>10}{:>12}\n", shown,
      report.operations.size(), "busy", "waiting");
  for (const Line& line : report.operations | std::views::take(shown)) {
    put(out, "{}\n",
        clipped(fmt::format("  {:>10}{:>12} {:4.1f} %  {:<{}}  {:<7} {}",
                            duration(busy(line.engine)), duration(waiting(line.engine)),
                            percent(busy(line.engine) + waiting(line.engine), all),
                            short_scope(without_program(line.function)), width, main_engine(line),
                            place_of(line, shorter))));
  }
}

void lines(std::string& out, const Report& report, std::size_t lines_max) {
  std::vector<const Line*> order;
  std::vector<std::string_view> places;
  for (const Line& line : report.lines) {
    order.push_back(&line);
    places.push_back(line.place);
  }
  const auto busy_time = [](const Line* line) { return busy(line->engine); };
  base::stable_sort(order, std::ranges::greater{}, busy_time);
  order.resize(std::min(lines_max, order.size()));
  const ShortPlaces shorter(places);
  std::size_t place_width = 11;
  for (const Line* line : order)
    place_width = std::max(place_width, place_of(*line, shorter).size());
  put(out, "\nEngine time by source line ({} of {} lines)\n  {:>10}{:>12}\n", order.size(),
      report.lines.size(), "busy", "waiting");
  for (const Line* line : order) {
    std::string text =
        fmt::format("  {:>10}{:>12}  {:<{}}  {:<7} {} x{}", duration(busy(line->engine)),
                    duration(waiting(line->engine)), place_of(*line, shorter), place_width,
                    main_engine(*line), line->mnemonics, line->executions);
    const std::string waits = main_waits(line->engine);
    if (!waits.empty()) text += "  waits: " + waits;
    // Most lines have one instruction that is critical; that the others have time says little.
    if (line->slack && *line->slack > base::Ticks{0})
      text += fmt::format("  slack: {}", duration(*line->slack));
    put(out, "{}\n", clipped(std::move(text)));
  }
}

// "waiting for operand"
std::string in_words(Reason reason) {
  return trace::is_waiting(reason) && reason != Reason::throttle
             ? fmt::format("waiting for {}", column(reason))
             : std::string(name(reason));
}

void path(std::string& out, const Report& report, std::size_t parts_max) {
  if (!report.critical_path) return;
  put(out, "\nCritical path: what would have to be shorter for the run to be shorter\n");
  const std::vector<PathPart>& parts = report.critical_path->parts;
  for (const PathPart& part : std::span(parts).first(std::min(parts_max, parts.size()))) {
    put(out, "  {:5.1f} %  {}: {}\n", percent(part.ticks, report.duration),
        report.tracks[index(part.track)].name, in_words(part.reason));
  }
  std::vector<std::string_view> places;
  for (const PathLine& line : report.critical_path->lines) places.push_back(line.place);
  const ShortPlaces shorter(places);
  std::string text;
  for (const PathLine& line : report.critical_path->lines | std::views::take(parts_max / 2)) {
    if (line.place.empty()) continue;
    text += fmt::format("{}{} {:.1f} %", text.empty() ? "by line: " : ", ", shorter(line.place),
                        percent(line.ticks, report.duration));
  }
  if (!text.empty()) put(out, "{}", wrapped(text));
}

std::string described(const Assumption& a) {
  std::string text = fmt::format("{} = {} {} ({}", a.key, a.value, a.unit, a.kind);
  if (!a.low.empty()) text += fmt::format(", {} to {}", a.low, a.high);
  return text + "): " + a.source;
}

// How much of the run's time the figure moves at most; without an interval nobody knows.
base::Ticks moved(const Report& report, const Assumption& assumption) {
  if (!report.interval) return {};
  const std::vector<Influence>& figures = report.interval->figures;
  const auto found = std::ranges::find(figures, assumption.key, &Influence::key);
  return found == figures.end() ? base::Ticks{} : found->largest(report.duration);
}

// Those that move the time most come first; where that is not known, those of the unit that holds
// the run back.
void assumptions(std::string& out, const Report& report, std::size_t assumptions_max) {
  if (report.assumptions.empty()) return;
  std::vector<const Assumption*> order;
  for (const Assumption& each : report.assumptions) order.push_back(&each);
  const std::string prefix = report.bound.busiest + ".";
  std::ranges::stable_partition(
      order, [&](const Assumption* each) { return each->key.starts_with(prefix); });
  base::stable_sort(order, std::ranges::greater{},
                    [&](const Assumption* each) { return moved(report, *each); });
  if (!report.interval) {
    put(out,
        "\nThis answer may depend on up to {} unpublished figures; --interval shows which "
        "of them change the time\n",
        order.size());
  } else {
    put(out, "\nThis answer depends on {} unpublished figures\n", order.size());
    put(out,
        "  the time over their documented ranges: {} to {} (all best, all worst)\n  {} of {} "
        "change it; each line begins with the share of the time that it changes alone\n",
        duration(report.interval->low), duration(report.interval->high),
        report.interval->figures.size(), report.interval->tried);
  }
  if (!report.interval && !report.no_answer.empty()) {
    put(out, "  their effect on the time is not known: {}\n", report.no_answer);
  }
  for (std::size_t i = 0; i < std::min(assumptions_max, order.size()); ++i) {
    std::string text = "  ";
    if (report.interval)
      text += fmt::format("{:5.1f} %  ", percent(moved(report, *order[i]), report.duration));
    put(out, "{}\n", clipped(text + described(*order[i])));
  }
  if (order.size() > assumptions_max) {
    put(out, "  and {} more: the report as JSON has all\n", order.size() - assumptions_max);
  }
}

// "twice the clock (vector.clock=x2)"; what is long or says no more than its name goes without.
std::string described(const Change& change) {
  if (change.settings.size() != 1 || change.settings.front() == change.name) return change.name;
  return fmt::format("{} ({})", change.name, change.settings.front());
}

void what_ifs(std::string& out, const Report& report) {
  if (report.what_ifs.empty()) return;
  put(out, "\nWhat if (the same program, simulated again; most gain first)\n");
  std::string unmoved;
  for (const WhatIf& each : report.what_ifs) {
    if (each.time == report.duration) {
      unmoved += (unmoved.empty() ? "" : "; ") + each.change.name;
      continue;
    }
    const double longer = percent(each.time, report.duration) - 100;
    put(out, "{}\n",
        clipped(fmt::format("  {:>10}  {:+6.1f} %  {}", duration(each.time), longer,
                            described(each.change))));
  }
  if (!unmoved.empty()) put(out, "{}", wrapped("no change: " + unmoved));
}

void reproduce(std::string& out, const Report& report) {
  const trace::Metadata& run = report.run;
  put(out, "\nReproduce: trainyard {}, machine {} ({:016x}), program {:016x}\n", run.version,
      run.machine, run.machine_hash, run.program_hash);
  std::string more;
  for (const auto& [key, value] : run.more)
    more += fmt::format("{}{} {}", more.empty() ? "" : "; ", key, value);
  if (!more.empty()) put(out, "{}", wrapped(more));
}

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) {
  std::string out;
  if (report.duration == base::Ticks{0}) {
    put(out, "{} on {}: it has no instructions\n", report.run.program, report.run.machine);
    return out;
  }
  headline(out, report);
  tracks(out, report);
  speed(out, report);
  memory(out, report);
  collectives(out, report);
  energy(out, report, options.parts_max);
  operations(out, report, options.lines_max);
  lines(out, report, options.lines_max);
  path(out, report, options.parts_max);
  what_ifs(out, report);
  assumptions(out, report, options.assumptions_max);
  reproduce(out, report);
  return out;
}

}  // namespace trainyard::report
