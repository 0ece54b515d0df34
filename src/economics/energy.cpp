#include "economics/energy.h"

#include <array>

#include "base/error.h"

namespace trainyard::economics {

namespace {

struct Row {
  std::string_view key;
  std::int64_t (*count)(const Activity&);
};

constexpr auto table = std::to_array<Row>({
    {"energy.mac_fp32", [](const Activity& a) { return a.macs_fp32; }},
    {"energy.mac_bf16", [](const Activity& a) { return a.macs_bf16; }},
    {"energy.mac_fp8", [](const Activity& a) { return a.macs_fp8; }},
    {"energy.mac_mx", [](const Activity& a) { return a.macs_mx; }},
    {"energy.mac_transpose", [](const Activity& a) { return a.macs_transpose; }},
    {"energy.vector_operation", [](const Activity& a) { return a.vector_elements; }},
    {"energy.scalar_operation", [](const Activity& a) { return a.scalar_elements; }},
    {"energy.gpsimd_operation", [](const Activity& a) { return a.gpsimd_elements; }},
    {"energy.sbuf_byte", [](const Activity& a) { return a.sbuf.value; }},
    {"energy.psum_byte", [](const Activity& a) { return a.psum.value; }},
    {"energy.hbm_byte", [](const Activity& a) { return a.hbm.value; }},
    {"energy.dma_byte", [](const Activity& a) { return a.dma.value; }},
    {"energy.link_byte", [](const Activity& a) { return a.link.value; }},
    {"energy.host_byte", [](const Activity& a) { return a.host.value; }},
    {"energy.instruction", [](const Activity& a) { return a.instructions; }},
});

// The figure of `key` times `factor`, which turns its canonical unit into joules.
Estimate<Joules> times(const machine::Machine& machine, std::string_view key, double factor) {
  const machine::Interval each = machine.interval(key);
  return {
      {each.low * factor}, {each.value * factor}, {each.high * factor}, machine.figure(key)->kind};
}

void add(EnergyReport& report, std::string_view key, std::int64_t count,
         const Estimate<Joules>& energy) {
  report.parts.push_back({key, count, energy});
  report.total += energy;
}

double seconds(base::Ticks duration) { return base::to_nanoseconds(duration) * 1e-9; }

}  // namespace

double EnergyReport::watts(base::Ticks duration) const {
  return duration.value == 0 ? 0 : total.value.value / seconds(duration);
}

EnergyReport energy(const machine::Machine& machine, const Activity& activity, base::Ticks duration,
                    std::int64_t cores) {
  base::check(cores >= 1 && cores <= machine.chip.cores, "the cores of a run belong to one chip");
  EnergyReport report;
  for (const Row& row : table) {
    const std::int64_t count = row.count(activity);
    base::check(count >= 0, "activity is never negative");
    if (count == 0) continue;
    add(report, row.key, count, times(machine, row.key, 1e-12 * static_cast<double>(count)));
  }
  if (duration.value == 0) return report;
  const auto share = static_cast<double>(cores);
  const std::int64_t nanoseconds = cores * duration.value / base::ticks_per_nanosecond;
  add(report, "energy.core_static", nanoseconds,
      times(machine, "energy.core_static", seconds(duration) * share));
  add(report, "energy.chip_static", nanoseconds,
      times(machine, "energy.chip_static",
            seconds(duration) * share / static_cast<double>(machine.chip.cores)));
  return report;
}

}  // namespace trainyard::economics
