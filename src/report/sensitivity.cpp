#include "report/sensitivity.h"

#include <algorithm>
#include <utility>

#include "base/stable_sort.h"

namespace trainyard::report {
namespace {

base::Ticks distance(base::Ticks a, base::Ticks b) { return a < b ? b - a : a - b; }

// The end of its range at which a figure makes the run shorter, or longer.
machine::End end_of(const Influence& figure, bool shorter) {
  return (figure.at_low < figure.at_high) == shorter ? machine::End::low : machine::End::high;
}

// The time with all `figures` at their favourable ends, or all at the other ones.
base::Ticks combined(const machine::Machine& machine, std::span<const Influence> figures,
                     bool shorter, const Simulate& simulate) {
  machine::Machine all = machine;
  for (const Influence& figure : figures)
    all = machine::at_end(all, figure.key, end_of(figure, shorter)).value_or(all);
  return simulate(all);
}

}  // namespace

base::Ticks Influence::largest(base::Ticks duration) const {
  return std::max(distance(at_low, duration), distance(at_high, duration));
}

TimeBracket bracket_of(const machine::Machine& machine, std::span<const std::string> keys,
                       base::Ticks duration, const Simulate& simulate) {
  TimeBracket result{duration, duration, {}, 0};
  for (const std::string& key : keys) {
    const auto low = machine::at_end(machine, key, machine::End::low);
    const auto high = machine::at_end(machine, key, machine::End::high);
    if (!low || !high) continue;
    ++result.tried;
    Influence influence{key, simulate(*low), simulate(*high)};
    if (influence.largest(duration) > base::Ticks{0})
      result.figures.push_back(std::move(influence));
  }
  base::stable_sort(result.figures, std::ranges::greater{},
                    [&](const Influence& each) { return each.largest(duration); });
  if (result.figures.empty()) return result;
  // One figure alone may go further than all together, where they work against each other.
  result.low = std::min(duration, combined(machine, result.figures, true, simulate));
  result.high = std::max(duration, combined(machine, result.figures, false, simulate));
  for (const Influence& each : result.figures) {
    result.low = std::min({result.low, each.at_low, each.at_high});
    result.high = std::max({result.high, each.at_low, each.at_high});
  }
  return result;
}

std::vector<Change> standard_changes() {
  std::vector<Change> list{
      {"HBM bandwidth x1.5", {"hbm.bandwidth=x1.5"}},
      {"HBM bandwidth x2", {"hbm.bandwidth=x2"}},
      {"no extra latency of reads from HBM", {"hbm.read_latency=0ns", "hbm.read_ahead=0B"}},
      {"each DMA engine twice as fast", {"dma.packet_rate=x2", "dma.slow_start_rate=x2"}},
      {"zero DMA start cost",
       {"dma.static.trigger_latency=0ns", "dma.hardware.trigger_latency=0ns",
        "dma.software.trigger_latency=0ns", "dma.static.spread=0ns", "dma.hardware.spread=0ns",
        "dma.software.spread=0ns", "dma.software_prepare=0ns", "dma.software_prepare_next=0ns"}},
      {"zero cost of a DMA packet",
       {"dma.static.packet_overhead=0ns", "dma.hardware.packet_overhead=0ns",
        "dma.software.packet_overhead=0ns", "dma.static.packet_min=0ns",
        "dma.hardware.packet_min=0ns", "dma.software.packet_min=0ns", "dma.packet_latency=0ns"}},
      {"zero latency of a DMA's completion", {"dma.completion=0ns"}},
      {"zero latency of semaphores between engines", {"semaphore.engine_to_engine=0ns"}},
      {"Tensor twice as fast", {"tensor.clock=x2"}},
      {"Vector twice as fast", {"vector.clock=x2"}},
      {"Scalar twice as fast", {"scalar.clock=x2"}},
      {"GpSimd twice as fast", {"gpsimd.clock=x2"}},
      {"no throttle of the tensor engine", {"throttle.enabled=false"}},
      {"no fixed cost of a Vector instruction",
       {"vector.startup=0cycles", "vector.latency=0cycles", "vector.sbuf_access=0cycles",
        "vector.psum_access=0cycles", "vector.sbuf_write=0cycles", "vector.psum_write=0cycles"}},
      {"no fixed cost of a Scalar instruction",
       {"scalar.startup=0cycles", "scalar.latency=0cycles", "scalar.sbuf_access=0cycles",
        "scalar.psum_access=0cycles", "scalar.sbuf_write=0cycles", "scalar.psum_write=0cycles"}},
      {"Scalar holds the tables of every function", {"scalar.rate.table_load=0ns"}},
      {"Vector and GpSimd do not share SBUF's bus",
       {"sbuf.vector_gpsimd_exclusive=false", "sbuf.vector_gpsimd_shared_bus=false"}},
      {"engines do not meet at a PSUM bank",
       {"psum.vector_scalar_exclusive=false", "psum.same_bank_rate=1",
        "psum.conflict_penalty=0cycles"}},
  };
  for (Change& change : list) change.asked = false;
  return list;
}

std::vector<WhatIf> what_ifs(const machine::Machine& machine, std::span<const Change> changes,
                             const Simulate& simulate) {
  std::vector<WhatIf> result;
  for (const Change& change : changes) {
    const machine::Machine other = machine::apply_overrides(machine, change.settings);
    // What the machine is already is no answer, but to who asked for just that.
    if (other.hash() == machine.hash() && !change.asked) continue;
    result.push_back({change, simulate(other)});
  }
  base::stable_sort(result, {}, &WhatIf::time);
  return result;
}

}  // namespace trainyard::report
