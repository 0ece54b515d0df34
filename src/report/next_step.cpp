#include "report/next_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/stable_sort.h"
#include "report/format.h"

namespace trainyard::report {
namespace {

using trace::Reason;

// Saving less is not worth an author's time.
constexpr double gain_min = 0.01;

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

std::string capitalized(std::string_view engine) {
  std::string name(engine == "gpsimd" ? "gpSimd" : engine);
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

std::vector<std::string> without_issue_cost() {
  std::vector<std::string> settings;
  for (int e = 0; e < isa::engine_count; ++e) {
    for (const std::string_view way : {"static", "hardware", "software"}) {
      settings.push_back(
          fmt::format("{}.dma_issue_{}=0ns", isa::name(static_cast<isa::Engine>(e)), way));
    }
  }
  return settings;
}

std::vector<std::string> without_fixed_cost(std::string_view engine) {
  std::vector<std::string> settings;
  for (const std::string_view key :
       {"startup", "latency", "sbuf_access", "psum_access", "sbuf_write", "psum_write"})
    settings.push_back(fmt::format("{}.{}=0cycles", engine, key));
  return settings;
}

// The settings of the standard change with this name.
std::vector<std::string> standard(std::string_view name) {
  for (Change& change : standard_changes())
    if (change.name == name) return std::move(change.settings);
  base::fail("a standard change has this name");
}

void add_transfers(const Report& report, std::vector<Advice>& list) {
  if (report.work.dma_transfers == 0) return;
  const auto add = [&](std::string text, std::vector<std::string> settings) {
    list.push_back({std::move(text), {"", std::move(settings), false}});
  };
  add("start loads earlier (more tiles in flight)", standard("zero DMA start cost"));
  add("move longer rows in each transfer, or fewer pieces", standard("zero cost of a DMA packet"));
  add("issue fewer and larger transfers, or some of them from another engine",
      without_issue_cost());
  const std::int64_t moved = report.work.hbm.read + report.work.hbm.written;
  if (static_cast<double>(moved) > 1.05 * static_cast<double>(report.work.hbm_least)) {
    add(fmt::format("keep data that is used again in SBUF: HBM traffic is {:.1f} times the bytes "
                    "of arguments and results; with half of it",
                    static_cast<double>(moved) /
                        static_cast<double>(std::max<std::int64_t>(report.work.hbm_least, 1))),
        {"hbm.bandwidth=x2", "dma.packet_rate=x2", "dma.slow_start_rate=x2"});
  }
}

void add_engines(const Report& report, std::vector<Advice>& list) {
  for (int e = 0; e < isa::engine_count; ++e) {
    const auto engine = static_cast<isa::Engine>(e);
    if (engine == isa::Engine::sync || report.work.instructions[static_cast<std::size_t>(e)] == 0)
      continue;
    const std::string_view name = isa::name(engine);
    list.push_back(
        {fmt::format("give {} half of the work{}", capitalized(name), heaviest_line(report, name)),
         {"", {fmt::format("{}.clock=x2", name)}, false}});
    if (engine != isa::Engine::vector && engine != isa::Engine::scalar) continue;
    list.push_back({fmt::format("use fewer and larger instructions on {}{}", capitalized(name),
                                heaviest_line(report, name)),
                    {"", without_fixed_cost(name), false}});
  }
}

// Under which order a changed kernel takes its time.
std::string order_of(const NextStep& step) {
  if (step.order.empty()) return {};
  if (step.order == "author") return " as written";
  std::string text = fmt::format(" with schedule {}", step.order);
  if (step.as_written) text += fmt::format(", {} as written", duration(*step.as_written));
  return text;
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

std::vector<Advice> advices(const Report& report) {
  std::vector<Advice> list;
  add_transfers(report, list);
  add_engines(report, list);
  list.push_back({"synchronise engines less often (larger tiles)",
                  {"", {"semaphore.engine_to_engine=0ns"}, false}});
  return list;
}

std::vector<NextStep> gaining(const Report& report, std::vector<NextStep> tried) {
  std::erase_if(tried, [&](const NextStep& step) {
    return 1 - percent(step.time, report.duration) / 100 < gain_min;
  });
  base::stable_sort(tried, {},
                    [](const NextStep& step) { return std::pair(step.is_limit, step.time); });
  return tried;
}

std::string describe(const Report& report, const std::vector<NextStep>& steps) {
  constexpr std::size_t most = 3;
  if (steps.empty())
    return "no change that was tried (order, buffers, queues, descriptors, each cost of transfers "
           "and engines) saves 1 % of the time";
  std::string text;
  for (std::size_t k = 0; k < std::min(steps.size(), most); ++k) {
    const NextStep& step = steps[k];
    text += fmt::format("{}{}: saves {}{:.0f} % ({}{})", k == 0 ? "" : "; or ", step.text,
                        step.is_limit ? "up to " : "", 100 - percent(step.time, report.duration),
                        duration(step.time), order_of(step));
  }
  return text;
}

}  // namespace trainyard::report
