#include "fabric/link_loads.h"

#include "fabric/problem.h"
#include "fabric/traffic.h"

namespace trainyard::fabric {

std::vector<LinkLoad> link_loads(const Network& network, std::span<const Group> groups,
                                 std::span<const Schedule> schedules, double bytes,
                                 base::Ticks time, Memory memory) {
  const Problem problem = make_problem(network, groups, schedules, bytes, {.memory = memory});
  std::vector<double> carried(problem.capacity.size(), 0);
  for (std::size_t f = 0; f < problem.flows.size(); ++f) {
    const Flow& flow = problem.flows[f];
    const double all = flow.bytes * problem.phases[flow.phase].repeat;
    for (std::uint32_t u = problem.begin[f]; u < problem.begin[f + 1]; ++u)
      carried[problem.uses[u].resource] += all * static_cast<double>(problem.uses[u].weight);
  }
  const double seconds = static_cast<double>(time.value) / ticks_per_second;
  std::vector<LinkLoad> loads;
  for (std::uint32_t r = 0; r < network.resources(); ++r) {
    std::string kind = network.kind(r);
    if (!kind.ends_with(" link") && !kind.ends_with(" switch core")) continue;
    const double share = seconds > 0 ? carried[r] / (network.capacity(r) * seconds) : 0;
    loads.push_back({network.name(r), std::move(kind), share});
  }
  return loads;
}

}  // namespace trainyard::fabric
