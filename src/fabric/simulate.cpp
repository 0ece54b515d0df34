#include "fabric/simulate.h"

#include <algorithm>

#include "base/error.h"

namespace trainyard::fabric {

namespace {

void add_loads(const Traffic& traffic, const Folded& folded, SimulatedTime& timing) {
  double worst = 0;
  const double seconds = static_cast<double>(timing.time.value) / ticks_per_second;
  for (std::uint32_t r = 0; r < traffic.carried().size(); ++r) {
    const double carried = traffic.carried()[r];
    const double capacity = std::max(folded.capacity[r], traffic.capacity(r));
    const double alone = carried == 0 ? 0 : carried / capacity;
    worst = std::max(worst, alone);
    timing.loads.push_back({r, carried, seconds > 0 ? alone / seconds : 0});
  }
  timing.bound = {static_cast<std::int64_t>(worst * ticks_per_second * (1 - 1e-9))};
}

}  // namespace

const Load& SimulatedTime::busiest() const {
  base::check(!loads.empty(), "a network has resources");
  return *std::ranges::max_element(loads, {}, &Load::share);
}

Run simulate(const Folded& folded, const Problem& problem, std::vector<Span>* spans,
             const Limits& limits) {
  Traffic traffic(folded, problem, spans);
  for (std::uint32_t site = 0; site < folded.sites.size(); ++site) traffic.begin(site, {});
  constexpr std::uint64_t between_looks = 1024;
  for (std::uint64_t steps = 1; traffic.next() != Traffic::never; ++steps) {
    if (traffic.next() > limits.latest) return {.timing = {}, .stuck = {}, .is_late = true};
    traffic.step();
    if (limits.look && steps % between_looks == 0) limits.look();
  }
  Run result{.timing = {.time = traffic.last_arrival(),
                        .bound = {},
                        .loads = {},
                        .events = traffic.events(),
                        .transfers = traffic.transfers(),
                        .bytes = traffic.bytes()},
             .stuck = traffic.stuck()};
  add_loads(traffic, folded, result.timing);
  if (!result.stuck.empty()) return result;
  for (std::uint32_t site = 0; site < folded.sites.size(); ++site)
    base::check(!traffic.is_under_way(site), "every transfer has ended");
  base::check(result.timing.time >= result.timing.bound, "no collective beats its bound");
  return result;
}

}  // namespace trainyard::fabric
