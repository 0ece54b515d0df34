#include "fabric/cost_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "fabric/traffic.h"

namespace trainyard::fabric {

namespace {

using base::Ticks;

// From more ranks on, an algorithm is laid out only where it can be the fastest.
constexpr std::size_t laid_out_max = 16'384;

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

// From what the first transfers use, what all of them use of the first resource of each orbit.
void spread(std::vector<double>& bytes, const Orbits& orbits) {
  std::vector<double> members(bytes.size(), 0), all(bytes.size(), 0);
  for (std::size_t r = 0; r < bytes.size(); ++r) {
    ++members[orbits.resources[r]];
    all[orbits.resources[r]] += bytes[r];
  }
  for (std::size_t r = 0; r < bytes.size(); ++r)
    bytes[r] = members[r] == 0 ? 0 : all[r] * orbits.each / members[r];
}

// What each byte of the buffer takes at least: the busiest resource, or the longest queue.
double slowest(const Problem& problem) {
  std::vector<double> bytes(problem.capacity.size(), 0);
  for (std::size_t f = 0; f < problem.flows.size(); ++f) {
    const Flow& flow = problem.flows[f];
    for (std::uint32_t u = problem.begin[f]; u < problem.begin[f + 1]; ++u) {
      bytes[problem.uses[u].resource] +=
          flow.bytes * problem.uses[u].weight * problem.phases[flow.phase].repeat;
    }
  }
  if (problem.orbits) spread(bytes, *problem.orbits);
  double seconds = slowest_queue(problem);
  for (std::size_t r = 0; r < bytes.size(); ++r) {
    if (bytes[r] > 0) seconds = std::max(seconds, bytes[r] / problem.capacity[r]);
  }
  return seconds;
}

// The waits of steps that follow one another, and in rings, where each step sends what the one
// before brought, the least latency of a transfer.
Ticks waits_of(const Problem& problem) {
  std::vector<Ticks> latency(problem.phases.size(), Traffic::never);
  for (const Flow& flow : problem.flows)
    latency[flow.phase] = std::min(latency[flow.phase], flow.latency);
  Ticks waits = problem.sites[0].start;
  for (std::size_t p = 0; p < problem.phases.size(); ++p) {
    const PhaseRepeats& phase = problem.phases[p];
    const bool sends = latency[p] != Traffic::never;
    waits += phase.rings ? (problem.ring_step + (sends ? latency[p] : Ticks{})) * phase.repeat
                         : problem.step;
  }
  return waits;
}

// The same of a schedule that is not laid out, latencies apart.
Ticks least_waits(const Schedule& schedule, const machine::System& system) {
  Ticks waits = system.chip.collective.start;
  for (const Phase& phase : schedule.phases)
    waits += phase.rings ? system.transport.ring_step * phase.repeat : system.chip.collective.step;
  return waits;
}

// What each byte of the buffer takes at least in the steps of rings, beside their waits.
double ring_of(const Problem& problem) {
  std::vector<double> least(problem.phases.size(), -1);
  for (const Flow& flow : problem.flows) {
    double& of_phase = least[flow.phase];
    if (of_phase < 0 || flow.bytes < of_phase) of_phase = flow.bytes;
  }
  double bytes = 0;
  for (std::size_t p = 0; p < problem.phases.size(); ++p) {
    if (problem.phases[p].rings && least[p] > 0) bytes += least[p] * problem.phases[p].repeat;
  }
  return bytes / problem.rate_max;
}

// That a simulation takes.
double events_of(const Folded& folded, const Problem& problem) {
  double events = 0;
  for (const FlowClass& one : folded.flows) events += 2.0 * problem.phases[one.flow.phase].repeat;
  return events;
}

// One rank moves nothing.
Price alone(const Network& network, CollectiveOp operation, double bytes) {
  Price price;
  price.operation = operation;
  price.bytes = bytes;
  price.ranks = 1;
  price.algorithm = "none";
  price.time = network.system().chip.collective.start;
  price.candidates = {{"none", price.time, true, 0}};
  return price;
}

void check_question(const Network& network, double bytes, std::span<const Group> groups) {
  if (groups.empty() || groups[0].empty()) {
    throw base::InputError({"fabric.group", "a collective has ranks", network.system().name, "none",
                            "name at least one"});
  }
  if (!(bytes >= 0) || bytes > 1e15) {
    throw base::InputError({"fabric.size", "a buffer has 0 to 1e15 bytes", network.system().name,
                            fmt::format("{}", bytes), "write a smaller one"});
  }
}

}  // namespace

Ticks CostTable::Way::least(double bytes) const {
  const auto ticks = [&](double each) {
    constexpr double per_second = 1e9 * static_cast<double>(base::ticks_per_nanosecond);
    return Ticks{static_cast<std::int64_t>(std::min(each * bytes * per_second, 4e18))};
  };
  return std::max(waits + ticks(ring_seconds), ticks(seconds));
}

std::vector<CostTable::Way> CostTable::ways(CollectiveOp operation, std::span<const Group> groups,
                                            const Options& options) const {
  // By algorithm: the schedule of each group.
  std::vector<std::vector<Schedule>> found;
  for (const Group& group : groups) {
    std::vector<Schedule> of_group = schedules(network_, operation, group, options.root);
    found.resize(std::max(found.size(), of_group.size()));
    for (std::size_t i = 0; i < of_group.size(); ++i) found[i].push_back(std::move(of_group[i]));
  }
  std::vector<Way> list;
  for (auto& way : found) {
    const auto same = [&](const Schedule& s) { return s.algorithm == way[0].algorithm; };
    if (way.size() != groups.size() || !std::ranges::all_of(way, same)) continue;
    Way made{way[0].algorithm, way[0].steps(), std::move(way), {}};
    made.waits = least_waits(made.schedules[0], network_.system());
    if (groups[0].size() <= laid_out_max) lay_out(made, groups, options);
    list.push_back(std::move(made));
  }
  return list;
}

void CostTable::lay_out(Way& way, std::span<const Group> groups, const Options& options) const {
  if (way.problem) return;
  way.problem =
      with_options(make_problem(network_, groups, way.schedules, 1, options.layout()), options);
  way.schedules.clear();
  way.seconds = slowest(*way.problem);
  way.ring_seconds = ring_of(*way.problem);
  way.waits = waits_of(*way.problem);
}

std::optional<Price> CostTable::measured(Way& way, double bytes, const std::optional<Price>& best,
                                         const Options& options) const {
  if (!way.folded) way.folded = options.folds_ranks ? fold(*way.problem) : unfolded(*way.problem);
  if (best && events_of(*way.folded, *way.problem) > options.events_max) return std::nullopt;
  // Rates are those of any size.
  Folded folded = *way.folded;
  for (FlowClass& one : folded.flows) one.flow.bytes *= bytes;
  const Ticks latest = best ? best->time : Traffic::never;
  const Run found =
      simulate(folded, *way.problem, nullptr, {.latest = latest, .look = options.look});
  if (found.is_late) return std::nullopt;
  Price price = price_of(network_, folded, found);
  base::check(!price.stuck.empty() || price.time >= way.least(bytes),
              "no algorithm beats the bound that it is chosen by");
  price.algorithm = way.algorithm;
  price.candidates = {{way.algorithm, price.time, true, way.steps}};
  return price;
}

Price CostTable::fastest(std::vector<Way>& ways, double bytes, std::span<const Group> groups,
                         const Options& options) const {
  std::vector<Way*> open;
  for (Way& way : ways) {
    if (options.algorithm.empty() || way.algorithm == options.algorithm) open.push_back(&way);
  }
  if (open.empty()) {
    std::vector<std::string> names;
    for (const Way& way : ways) names.push_back(way.algorithm);
    throw base::InputError({"fabric.algorithm", "the algorithm fits the operation and the ranks",
                            network_.system().name, options.algorithm,
                            fmt::format("one of {}", fmt::join(names, ", "))});
  }
  std::ranges::stable_sort(open, {}, [&](const Way* way) { return way->least(bytes); });
  const std::optional<Price> none;
  std::optional<Price> best;
  std::vector<Candidate> candidates;
  for (Way* way : open) {
    const bool stands = best && best->stuck.empty();
    if (!stands || way->least(bytes) < best->time) lay_out(*way, groups, options);
    const Ticks least = way->least(bytes);
    std::optional<Price> one;
    if (!stands || least < best->time) one = measured(*way, bytes, stands ? best : none, options);
    if (!one) {
      // Without a limit of events, it was simulated until the fastest one had ended.
      const bool was_late =
          way->folded && events_of(*way->folded, *way->problem) <= options.events_max;
      const Ticks known = was_late ? std::max(least, best->time) : least;
      candidates.push_back({way->algorithm, known, false, way->steps});
      continue;
    }
    candidates.push_back(one->candidates[0]);
    const bool wins = one->stuck.empty() && (!stands || one->time < best->time);
    if (!best || wins) best = std::move(one);
  }
  std::ranges::stable_sort(candidates, {}, [&](const Candidate& c) {
    return std::pair(c.algorithm != best->algorithm, c.time);
  });
  best->candidates = std::move(candidates);
  return std::move(*best);
}

Price CostTable::price(CollectiveOp operation, double bytes, std::span<const Group> groups,
                       const Options& options) {
  check_question(network_, bytes, groups);
  if (groups[0].size() == 1) return alone(network_, operation, bytes);
  Price price;
  if (!options.changes.empty() || !options.late.empty()) {
    // An algorithm is chosen before anything fails.
    Options healthy = options, failing = options;
    healthy.changes.clear();
    healthy.late.clear();
    failing.algorithm = this->price(operation, bytes, groups, healthy).algorithm;
    std::vector<Way> fresh = ways(operation, groups, options);
    price = fastest(fresh, bytes, groups, failing);
  } else {
    Key key{operation,
            {groups.begin(), groups.end()},
            options.root,
            options.folds_ranks,
            options.memory};
    auto at = known_.find(key);
    if (at == known_.end())
      at = known_.emplace(std::move(key), ways(operation, groups, options)).first;
    price = fastest(at->second, bytes, groups, options);
  }
  price.operation = operation;
  price.bytes = bytes;
  price.ranks = static_cast<std::int64_t>(groups[0].size());
  return price;
}

}  // namespace trainyard::fabric
