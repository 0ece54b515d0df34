#include "report/report.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/stable_sort.h"
#include "report/assumptions.h"
#include "report/collectives.h"
#include "report/lines.h"
#include "report/slack.h"
#include "report/usage.h"

namespace trainyard::report {
namespace {

double seconds(base::Ticks time) { return base::to_nanoseconds(time) * 1e-9; }

// The stack that several cores share has no track in the recording of one of them.
void show_stack(std::vector<TrackUsage>& tracks, base::Ticks busy, base::Ticks run) {
  for (TrackUsage& track : tracks) {
    if (track.kind != trace::TrackKind::memory) continue;
    const base::Ticks working = std::min(busy, run);
    track.totals = {};
    track.totals.ticks[trace::index(trace::Reason::working)] = working.value;
    track.totals.ticks[trace::index(trace::Reason::idle)] = (run - working).value;
  }
}

// Times for parts of the work, longest first; those of no time are left out.
class Limits {
 public:
  explicit Limits(base::Ticks run) : run_(run) {}
  void add(std::string name, base::Ticks ticks) {
    if (ticks > base::Ticks{0}) list_.push_back({std::move(name), ticks, share(ticks, run_)});
  }
  // Bytes through the DMA engines of the core, and through its HBM stack.
  void add_bytes(const machine::Machine& machine, std::int64_t dma_bytes, std::int64_t hbm_bytes) {
    const machine::Dma& dma = machine.core.dma;
    const machine::Hbm& hbm = machine.chip.hbm;
    if (dma_bytes > 0) add("dma", dma.links()({dma_bytes}));
    if (hbm_bytes > 0)
      add("hbm", machine::Bandwidth{hbm.bandwidth.bytes_per_second / hbm.stacks}({hbm_bytes}));
  }
  [[nodiscard]] std::vector<Limit> take() {
    base::stable_sort(list_, std::ranges::greater{}, &Limit::ticks_min);
    return std::move(list_);
  }

 private:
  base::Ticks run_;
  std::vector<Limit> list_;
};

// Arithmetic by format, and arguments and results once through HBM. What the author's instructions
// cost above that is no limit.
std::vector<Limit> limits_of(const Work& work, std::int64_t least_of_others,
                             const machine::Machine& machine, base::Ticks run) {
  Limits limits(run);
  limits.add("tensor arithmetic", work.mac_ticks_min(machine.core));
  limits.add_bytes(machine, work.hbm_least, work.hbm_least + least_of_others);
  return limits.take();
}

std::vector<Limit> units_of(const Work& work, base::Bytes hbm_of_others,
                            const machine::Machine& machine, base::Ticks run) {
  Limits units(run);
  for (std::size_t e = 0; e < isa::engine_count; ++e)
    units.add(std::string(isa::name(static_cast<isa::Engine>(e))), work.busy_min[e]);
  units.add_bytes(machine, work.dma_bytes, work.hbm.read + work.hbm.written + hbm_of_others.value);
  return units.take();
}

std::vector<Throughput> throughput_of(const Work& work, const machine::Machine& machine,
                                      base::Ticks run) {
  std::vector<Throughput> result;
  for (const MacRate format : mac_rates) {
    const std::int64_t macs = work.macs(format);
    if (macs == 0) continue;
    const double teraflops = 2 * static_cast<double>(macs) / seconds(run) / 1e12;
    const double peak = machine.peak_teraflops(rate_of(format, machine.core));
    result.push_back({std::string(name(format)), macs, teraflops, peak, teraflops / peak});
  }
  return result;
}

std::vector<Traffic> traffic_of(const Work& work, const machine::Machine& machine,
                                base::Ticks run) {
  const auto rate = [&](std::int64_t bytes) {
    return run.value == 0 ? 0.0 : static_cast<double>(bytes) / seconds(run) / 1e9;
  };
  const auto both = [](const BytesMoved& bytes) { return bytes.read + bytes.written; };
  const machine::Hbm& hbm = machine.chip.hbm;
  const machine::Dma& dma = machine.core.dma;
  const double hbm_peak = hbm.bandwidth.gigabytes_per_second() / static_cast<double>(hbm.stacks);
  const double dma_peak = dma.links().gigabytes_per_second();
  // A DMA reads and writes each byte that it moves; its link's rate counts it once.
  return {{"hbm", work.hbm, rate(both(work.hbm)), hbm_peak},
          {"dma", {work.dma_bytes, work.dma_bytes}, rate(work.dma_bytes), dma_peak},
          {"sbuf", work.sbuf, rate(both(work.sbuf)), std::nullopt},
          {"psum", work.psum, rate(both(work.psum)), std::nullopt}};
}

Roofline roofline_of(const Work& work, const machine::Machine& machine, base::Ticks run) {
  Roofline roofline;
  const auto flops = static_cast<double>(work.flops());
  if (flops == 0) return roofline;
  const double bandwidth = machine.chip.hbm.bandwidth.gigabytes_per_second() /
                           static_cast<double>(machine.chip.hbm.stacks);
  roofline.teraflops = flops / seconds(run) / 1e12;
  roofline.teraflops_peak = flops / seconds(work.mac_ticks_min(machine.core)) / 1e12;
  roofline.ridge = roofline.teraflops_peak * 1e3 / bandwidth;
  roofline.teraflops_attainable = roofline.teraflops_peak;
  if (const auto bytes = static_cast<double>(work.hbm.read + work.hbm.written); bytes > 0) {
    roofline.intensity = flops / bytes;
    roofline.teraflops_attainable =
        std::min(roofline.teraflops_peak, roofline.intensity * bandwidth / 1e3);
  }
  return roofline;
}

}  // namespace

double TrackUsage::share(trace::Reason reason) const {
  return report::share(totals.of(reason), totals.total());
}

base::Ticks Report::ticks_min() const {
  return limits.empty() ? base::Ticks{0} : limits.front().ticks_min;
}

double Report::speed_of_light() const { return share(ticks_min(), duration); }

namespace {

// What the run would cost on each basis that the price list has for the machine.
std::vector<Cost> costs_of(const economics::Prices& prices, const machine::Machine& machine,
                           std::int64_t cores, base::Ticks run) {
  const double chips = static_cast<double>(cores) / static_cast<double>(machine.chip.cores);
  std::vector<Cost> costs;
  for (const std::string& basis : prices.bases(machine.name)) {
    costs.push_back(
        {basis, economics::rental_cost(prices.rental(machine.name, basis), chips, run)});
  }
  return costs;
}

}  // namespace

Report make_report(const Inputs& inputs) {
  const auto& [program, rank, machine, summary, work, tracks, run, recording, prices, cores, others,
               stack_busy, others_hbm_least] = inputs;
  base::check(tracks.size() == summary.track_count(), "a summary is not of its tracks");
  Report report;
  report.run = run;
  report.machine_title = machine.title;
  report.duration = summary.end();
  report.tracks = usage_of(summary, tracks);
  if (cores > 1) show_stack(report.tracks, stack_busy, report.duration);
  report.bound = bound_of(report.tracks, report.duration);
  report.work = work;
  report.limits = limits_of(report.work, others_hbm_least, machine, report.duration);
  report.units = units_of(report.work, others.hbm, machine, report.duration);
  report.throughput = throughput_of(report.work, machine, report.duration);
  report.traffic = traffic_of(report.work, machine, report.duration);
  report.roofline = roofline_of(report.work, machine, report.duration);
  economics::Activity all = report.work.activity;
  all += others;
  report.energy = economics::energy(machine, all, report.duration, cores);
  if (prices != nullptr) {
    report.costs = costs_of(*prices, machine, cores, report.duration);
    report.electricity = economics::electricity_cost(report.energy.total, *prices);
  }
  std::vector<std::optional<base::Ticks>> slacks;
  if (recording != nullptr) {
    const trace::Timeline timeline = trace::timeline_of(*recording);
    report.critical_path = critical_path(program, timeline);
    slacks = slack_of(program, timeline);
  }
  Lines lines = lines_of(program, summary, slacks);
  report.lines = std::move(lines.lines);
  report.operations = std::move(lines.operations);
  report.mnemonics = std::move(lines.mnemonics);
  report.collectives = collectives_of(program, rank, summary, machine);
  report.assumptions = assumptions_of(report.work, report.energy, machine);
  return report;
}

}  // namespace trainyard::report
