#include "fabric/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/error.h"
#include "base/stable_sort.h"
#include "fabric/collectives/placement.h"
#include "fabric/cost_table.h"

namespace trainyard::fabric {

namespace {

using base::Ticks;

// A mesh has a limit of 128 devices (nec.h of the Neuron runtime).
constexpr std::int32_t mesh_ranks_max = 128;

using Maker = std::optional<Halves> (*)(const Placement&);
constexpr auto makers = std::to_array<Maker>(
    {ring, kanga_ring, mesh, halving, hierarchical, switch_mesh, partial_mesh});

bool is_reduction(CollectiveOp operation) {
  return operation == CollectiveOp::all_reduce || operation == CollectiveOp::reduce_scatter;
}

Schedule of_halves(const Halves& halves, CollectiveOp operation, std::int32_t ranks) {
  Schedule schedule{.algorithm = halves.algorithm, .ranks = ranks, .stripes = halves.stripes};
  if (is_reduction(operation)) schedule.phases = halves.scatter;
  if (operation != CollectiveOp::reduce_scatter)
    schedule.phases.insert(schedule.phases.end(), halves.gather.begin(), halves.gather.end());
  return schedule;
}

std::vector<Saturated> loads_of(const Network& network, const Folded& folded,
                                const SimulatedTime& timing) {
  std::map<std::string, Saturated> by_kind;
  for (const Load& load : timing.loads) {
    if (load.bytes == 0) continue;
    const std::uint32_t resource = folded.resource_member[load.resource];
    Saturated& kind = by_kind[network.kind(resource)];
    if (load.share <= kind.share) continue;
    kind = {network.name(resource), network.kind(resource), load.share, load.bytes};
  }
  std::vector<Saturated> list;
  for (auto& [name, saturated] : by_kind) list.push_back(std::move(saturated));
  base::stable_sort(list, std::greater{}, &Saturated::share);
  return list;
}

machine::Interval joules_of(const Network& network, const Folded& folded,
                            const SimulatedTime& timing, bool of_links) {
  machine::Interval sum;
  for (const Load& load : timing.loads) {
    if (network.is_link(folded.resource_member[load.resource]) != of_links) continue;
    const double bytes = load.bytes * static_cast<double>(folded.resource_members[load.resource]);
    const auto each = network.picojoules_per_byte(folded.resource_member[load.resource]);
    sum.low += bytes * each.low * 1e-12;
    sum.value += bytes * each.value * 1e-12;
    sum.high += bytes * each.high * 1e-12;
  }
  return sum;
}

Price measure(const Network& network, const Schedule& schedule, const Problem& problem,
              const Options& options) {
  const Folded folded = options.folds_ranks ? fold(problem) : unfolded(problem);
  Price price =
      price_of(network, folded, simulate(folded, problem, nullptr, {.look = options.look}));
  price.algorithm = schedule.algorithm;
  price.candidates = {{schedule.algorithm, price.time, true, schedule.steps()}};
  return price;
}

}  // namespace

std::string_view name(CollectiveOp operation) {
  constexpr auto names =
      std::to_array<std::string_view>({"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                       "permute", "send_receive", "broadcast", "barrier"});
  return names.at(static_cast<std::size_t>(operation));
}

Problem with_options(Problem problem, const Options& options) {
  problem.changes = options.changes;
  for (const auto& [rank, delay] : options.late) {
    for (std::size_t a = 0; a < problem.rank_of_actor.size(); ++a) {
      if (problem.rank_of_actor[a] == rank) problem.late[a] = delay;
    }
  }
  return problem;
}

Price price_of(const Network& network, const Folded& folded, const Run& run) {
  Price price;
  price.time = run.timing.time;
  price.bound = run.timing.bound;
  price.loads = loads_of(network, folded, run.timing);
  price.events = run.timing.events;
  price.transfers = run.timing.transfers;
  price.classes = folded.flows.size();
  price.link_joules = joules_of(network, folded, run.timing, true);
  price.memory_joules = joules_of(network, folded, run.timing, false);
  price.stuck = reasons(network, folded, run.stuck);
  return price;
}

std::vector<std::string> reasons(const Network& network, const Folded& folded,
                                 std::span<const Stuck> all) {
  std::vector<std::string> list;
  for (const Stuck& stuck : all) {
    const FlowClass& one = folded.flows[stuck.flow];
    std::string text =
        stuck.is_cut
            ? fmt::format("{} is down: rank {} cannot reach rank {}",
                          network.name(folded.first_resource[stuck.use]), one.source_rank,
                          one.target_rank)
            : fmt::format("rank {} waits for arrivals of step {} before it sends to rank {}",
                          one.source_rank, one.flow.phase, one.target_rank);
    if (one.members > 1) text += fmt::format(" (and {} like it)", one.members - 1);
    list.push_back(std::move(text));
  }
  base::stable_sort(list, {}, [](const std::string& s) { return s.find(" is down") == s.npos; });
  const auto same = std::ranges::unique(list);
  list.erase(same.begin(), same.end());
  return list;
}

std::int64_t Schedule::steps() const {
  std::int64_t count = 0;
  for (const Phase& phase : phases) count += phase.repeat;
  return count;
}

double bus_factor(CollectiveOp operation, std::int64_t ranks) {
  const auto n = static_cast<double>(ranks);
  switch (operation) {
    case CollectiveOp::all_reduce: return 2 * (n - 1) / n;
    case CollectiveOp::all_gather:
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::all_to_all: return (n - 1) / n;
    default: return 1;
  }
}

std::vector<Schedule> schedules(const Network& network, CollectiveOp operation, const Group& group,
                                std::int32_t root) {
  const Placement placement = place(network, group);
  switch (operation) {
    case CollectiveOp::all_to_all: return {exchange(placement)};
    case CollectiveOp::permute: return {shift(placement)};
    case CollectiveOp::send_receive: return {send(placement, 0, placement.ranks - 1)};
    case CollectiveOp::barrier: return {barrier(placement)};
    default: break;
  }
  std::vector<Schedule> list;
  const bool meshes = placement.ranks <= mesh_ranks_max;
  // Across chips, public timings of Trainium1 show two steps at every size (CCX-023..067).
  if (operation == CollectiveOp::all_reduce && placement.chips.size() == 1)
    list.push_back(single_step_mesh(placement));
  for (const Maker make : makers) {
    if (make == Maker{mesh} && !meshes) continue;
    const auto halves = make(placement);
    if (!halves) continue;
    list.push_back(operation == CollectiveOp::broadcast
                       ? broadcast(placement, *halves, root)
                       : of_halves(*halves, operation, placement.ranks));
  }
  return list;
}

Price run(const Network& network, CollectiveOp operation, double bytes,
          std::span<const Group> groups, std::span<const Schedule> schedules,
          const Options& options) {
  const Problem problem =
      with_options(make_problem(network, groups, schedules, bytes, options.layout()), options);
  Price price = measure(network, schedules[0], problem, options);
  price.operation = operation;
  price.bytes = bytes;
  price.ranks = static_cast<std::int64_t>(groups[0].size());
  return price;
}

Price price(const Network& network, CollectiveOp operation, double bytes,
            std::span<const Group> groups, const Options& options) {
  return CostTable(network).price(operation, bytes, groups, options);
}

}  // namespace trainyard::fabric
