#include "fabric/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "base/error.h"
#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

namespace {

using base::Ticks;

// A mesh has a limit of 128 devices (nec.h of the Neuron runtime).
constexpr std::int32_t mesh_ranks_max = 128;

using Maker = std::optional<Halves> (*)(const Placement&);
constexpr auto makers =
    std::to_array<Maker>({ring, kanga_ring, mesh, halving, hierarchical, switch_mesh});

bool is_reduction(Operation operation) {
  return operation == Operation::all_reduce || operation == Operation::reduce_scatter;
}

Schedule of_halves(const Halves& halves, Operation operation, std::int32_t ranks) {
  Schedule schedule{.algorithm = halves.algorithm, .ranks = ranks, .lanes = halves.lanes};
  if (is_reduction(operation)) schedule.phases = halves.scatter;
  if (operation != Operation::reduce_scatter)
    schedule.phases.insert(schedule.phases.end(), halves.gather.begin(), halves.gather.end());
  return schedule;
}

// Transfers of a queue follow one another at the rate of a channel at best; so do the phases.
double slowest_queue(const Problem& problem) {
  std::vector<double> queues(problem.queues, 0), phases(problem.phases.size(), 0);
  for (const Flow& flow : problem.flows) {
    const double bytes = flow.bytes * problem.phases[flow.phase].repeat;
    if (flow.queue != no_queue)
      queues[flow.queue] += bytes;
    else
      phases[flow.phase] = std::max(phases[flow.phase], bytes);
  }
  const double queued = queues.empty() ? 0 : *std::ranges::max_element(queues);
  return std::max(queued, std::accumulate(phases.begin(), phases.end(), 0.0)) / problem.rate_max;
}

// The least that a problem takes: its busiest resource, and its waits one after the other.
Ticks least(const Problem& problem) {
  std::vector<double> bytes(problem.capacity.size(), 0);
  for (std::size_t f = 0; f < problem.flows.size(); ++f) {
    const Flow& flow = problem.flows[f];
    for (std::uint32_t u = problem.begin[f]; u < problem.begin[f + 1]; ++u) {
      bytes[problem.uses[u].resource] +=
          flow.bytes * problem.uses[u].weight * problem.phases[flow.phase].repeat;
    }
  }
  double seconds = 0;
  for (std::size_t r = 0; r < bytes.size(); ++r) {
    if (bytes[r] > 0) seconds = std::max(seconds, bytes[r] / problem.capacity[r]);
  }
  seconds = std::max(seconds, slowest_queue(problem));
  Ticks waits = problem.start;
  for (const PhaseTimes& phase : problem.phases) {
    const Ticks wait = phase.rings ? problem.ring_step : problem.step;
    waits += wait * (phase.rings ? phase.repeat : 1);
  }
  const double ticks = seconds * 1e9 * static_cast<double>(base::ticks_per_nanosecond);
  return std::max(waits, Ticks{static_cast<std::int64_t>(std::min(ticks, 9e18))});
}

std::vector<Saturated> loads_of(const Network& network, const Folded& folded,
                                const Timing& timing) {
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
  std::ranges::stable_sort(list, std::greater{}, &Saturated::share);
  return list;
}

std::vector<std::string> reasons(const Network& network, const Folded& folded, const Run& run) {
  std::vector<std::string> list;
  for (const Stuck& stuck : run.stuck) {
    const FlowClass& one = folded.flows[stuck.flow];
    const std::int32_t source = folded.actor_rank[one.flow.source];
    const std::int32_t target = folded.actor_rank[one.flow.target];
    if (stuck.is_cut) {
      list.push_back(fmt::format("{} is down: rank {} cannot reach rank {}",
                                 network.name(folded.resource_member[stuck.resource]), source,
                                 target));
    } else {
      list.push_back(fmt::format("rank {} waits for arrivals of step {} before it sends to rank {}",
                                 source, one.flow.phase, target));
    }
  }
  std::ranges::stable_sort(list, {}, [](const std::string& s) { return !s.ends_with("down"); });
  const auto same = std::ranges::unique(list);
  list.erase(same.begin(), same.end());
  return list;
}

Price measure(const Network& network, const Schedule& schedule, const Problem& problem,
              bool folds) {
  const Folded folded = folds ? fold(problem) : unfolded(problem);
  const Run run = simulate(folded, problem);
  Price price;
  price.algorithm = schedule.algorithm;
  price.time = run.timing.time;
  price.bound = run.timing.bound;
  price.loads = loads_of(network, folded, run.timing);
  price.events = run.timing.events;
  price.transfers = run.timing.transfers;
  price.classes = folded.flows.size();
  price.stuck = reasons(network, folded, run);
  price.candidates = {{schedule.algorithm, run.timing.time, true, schedule.steps()}};
  return price;
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

// One rank moves nothing.
Price alone(const Network& network, Operation operation, double bytes) {
  Price price;
  price.operation = operation;
  price.bytes = bytes;
  price.ranks = 1;
  price.algorithm = "none";
  price.time = network.system().chip.collective.start;
  price.candidates = {{"none", price.time, true, 0}};
  return price;
}

}  // namespace

std::string_view name(Operation operation) {
  constexpr auto names =
      std::to_array<std::string_view>({"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                       "permute", "send_receive", "broadcast", "barrier"});
  return names.at(static_cast<std::size_t>(operation));
}

std::int64_t Schedule::steps() const {
  std::int64_t count = 0;
  for (const Phase& phase : phases) count += phase.repeat;
  return count;
}

Group first_ranks(std::int64_t ranks) {
  Group group(static_cast<std::size_t>(ranks));
  std::iota(group.begin(), group.end(), 0);
  return group;
}

double bus_factor(Operation operation, std::int64_t ranks) {
  const auto n = static_cast<double>(ranks);
  switch (operation) {
    case Operation::all_reduce: return 2 * (n - 1) / n;
    case Operation::all_gather:
    case Operation::reduce_scatter:
    case Operation::all_to_all: return (n - 1) / n;
    default: return 1;
  }
}

std::vector<Schedule> schedules(const Network& network, Operation operation, const Group& group,
                                std::int32_t root) {
  const Placement placement = place(network, group);
  switch (operation) {
    case Operation::all_to_all: return {exchange(placement)};
    case Operation::permute: return {shift(placement)};
    case Operation::send_receive: return {send(placement, 0, placement.ranks - 1)};
    case Operation::barrier: return {barrier(placement)};
    default: break;
  }
  std::vector<Schedule> list;
  const bool meshes = placement.ranks <= mesh_ranks_max;
  // Across chips, public timings of Trainium1 show two steps at every size (CCX-023..067).
  if (operation == Operation::all_reduce && placement.chips.size() == 1)
    list.push_back(single_step_mesh(placement));
  for (const Maker make : makers) {
    if (make == Maker{mesh} && !meshes) continue;
    const auto halves = make(placement);
    if (!halves) continue;
    list.push_back(operation == Operation::broadcast
                       ? broadcast(placement, *halves, root)
                       : of_halves(*halves, operation, placement.ranks));
  }
  return list;
}

Price run(const Network& network, Operation operation, double bytes, std::span<const Group> groups,
          std::span<const Schedule> schedules, const Options& options) {
  const Problem problem = with_options(make_problem(network, groups, schedules, bytes), options);
  Price price = measure(network, schedules[0], problem, options.folds);
  price.operation = operation;
  price.bytes = bytes;
  price.ranks = static_cast<std::int64_t>(groups[0].size());
  return price;
}

Price price(const Network& network, Operation operation, double bytes,
            std::span<const Group> groups, const Options& options) {
  if (groups.empty() || groups[0].empty()) {
    throw base::InputError({"fabric.group", "a collective has ranks", network.system().name, "none",
                            "name at least one"});
  }
  if (!(bytes >= 0) || bytes > 1e15) {
    throw base::InputError({"fabric.size", "a buffer has 0 to 1e15 bytes", network.system().name,
                            fmt::format("{}", bytes), "write a smaller one"});
  }
  if (groups[0].size() == 1) return alone(network, operation, bytes);
  // By algorithm: the schedule of each group.
  std::vector<std::vector<Schedule>> ways;
  for (const Group& group : groups) {
    std::vector<Schedule> of_group = schedules(network, operation, group, options.root);
    ways.resize(std::max(ways.size(), of_group.size()));
    for (std::size_t i = 0; i < of_group.size(); ++i) ways[i].push_back(std::move(of_group[i]));
  }
  struct Way {
    std::span<const Schedule> schedules;
    Problem problem;
    Ticks least;
  };
  std::vector<Way> open;
  for (const auto& way : ways) {
    const auto same = [&](const Schedule& s) { return s.algorithm == way[0].algorithm; };
    if (way.size() != groups.size() || !std::ranges::all_of(way, same)) continue;
    if (!options.algorithm.empty() && way[0].algorithm != options.algorithm) continue;
    Problem problem = with_options(make_problem(network, groups, way, bytes), options);
    const Ticks bound = least(problem);
    open.push_back({way, std::move(problem), bound});
  }
  if (open.empty()) {
    std::vector<std::string> names;
    for (const auto& way : ways) names.push_back(way[0].algorithm);
    throw base::InputError({"fabric.algorithm", "the algorithm fits the operation and the ranks",
                            network.system().name, options.algorithm,
                            fmt::format("one of {}", fmt::join(names, ", "))});
  }
  std::ranges::stable_sort(open, {}, &Way::least);
  std::optional<Price> best;
  std::vector<Candidate> candidates;
  for (const Way& way : open) {
    if (best && way.least >= best->time) {
      candidates.push_back(
          {way.schedules[0].algorithm, way.least, false, way.schedules[0].steps()});
      continue;
    }
    Price one = measure(network, way.schedules[0], way.problem, options.folds);
    candidates.push_back(one.candidates[0]);
    if (!best || one.time < best->time || !best->stuck.empty()) best = std::move(one);
  }
  std::ranges::stable_sort(candidates, {}, [&](const Candidate& c) {
    return std::pair(c.algorithm != best->algorithm, c.time);
  });
  best->candidates = std::move(candidates);
  best->operation = operation;
  best->bytes = bytes;
  best->ranks = static_cast<std::int64_t>(groups[0].size());
  return std::move(*best);
}

}  // namespace trainyard::fabric
