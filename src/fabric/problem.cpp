#include "fabric/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace trainyard::fabric {

namespace {

void check_groups(const Network& network, std::span<const Group> groups) {
  std::vector<bool> seen(static_cast<std::size_t>(network.ranks()), false);
  for (const Group& group : groups) {
    for (const std::int32_t rank : group) {
      const bool there = rank >= 0 && rank < network.ranks();
      if (there && !seen[static_cast<std::size_t>(rank)]) {
        seen[static_cast<std::size_t>(rank)] = true;
        continue;
      }
      throw base::InputError({"fabric.group", "a rank of the system is in one group, once",
                              network.system().name,
                              fmt::format("rank {} {}", rank, there ? "twice" : "is not there"),
                              fmt::format("name ranks 0 to {}", network.ranks() - 1)});
    }
  }
}

// Adds the transfers of one group.
class Layer {
 public:
  Layer(Problem& problem, const Network& network) : problem_(problem), network_(network) {}

  void add(const Group& group, const Schedule& schedule, std::uint32_t phase, double bytes) {
    if (phase == 0) begin_group(group, schedule);
    const auto lanes = schedule.lanes.size();
    const auto first_actor = static_cast<std::uint32_t>(actor_of_group_.at(index_of(group)));
    const auto first_queue = queue_of_group_.at(index_of(group));
    double weights = 0;
    for (const Lane& lane : schedule.lanes) weights += lane.weight;
    std::vector<std::uint32_t> position(group.size() * channels_, 0);
    for (const Transfer& t : schedule.phases[phase].transfers) {
      const auto lane = static_cast<std::size_t>(t.lane);
      const auto source = static_cast<std::size_t>(t.source);
      Flow flow;
      flow.source = first_actor + static_cast<std::uint32_t>(source * lanes + lane);
      flow.target = first_actor +
                    static_cast<std::uint32_t>(static_cast<std::size_t>(t.target) * lanes + lane);
      flow.phase = phase;
      if (t.channel != own_channel) {
        const std::size_t queue = source * channels_ + static_cast<std::size_t>(t.channel);
        flow.queue = first_queue + static_cast<std::uint32_t>(queue);
        flow.position = position[queue]++;
      }
      flow.bytes = bytes * schedule.lanes[lane].weight / weights * t.count / schedule.ranks;
      network_.path(group[source], group[static_cast<std::size_t>(t.target)], t.move, path_);
      flow.latency = path_.latency;
      problem_.flows.push_back(flow);
      problem_.uses.insert(problem_.uses.end(), path_.uses.begin(), path_.uses.end());
      problem_.begin.push_back(static_cast<std::uint32_t>(problem_.uses.size()));
    }
  }
  void begin(std::span<const Group> groups, std::span<const Schedule> schedules) {
    groups_ = groups;
    for (const Schedule& schedule : schedules) {
      for (const Phase& phase : schedule.phases) {
        for (const Transfer& t : phase.transfers)
          channels_ = std::max(channels_, static_cast<std::size_t>(t.channel + 1));
      }
    }
  }

 private:
  [[nodiscard]] std::size_t index_of(const Group& group) const {
    return static_cast<std::size_t>(&group - groups_.data());
  }
  void begin_group(const Group& group, const Schedule& schedule) {
    actor_of_group_.push_back(problem_.actors);
    queue_of_group_.push_back(problem_.queues);
    const auto actors = static_cast<std::uint32_t>(group.size() * schedule.lanes.size());
    problem_.actors += actors;
    problem_.queues += static_cast<std::uint32_t>(group.size() * channels_);
    for (const std::int32_t rank : group)
      problem_.rank_of_actor.insert(problem_.rank_of_actor.end(), schedule.lanes.size(), rank);
  }

  Problem& problem_;
  const Network& network_;
  Path path_;
  std::size_t channels_ = 0;
  std::span<const Group> groups_;
  std::vector<std::uint32_t> actor_of_group_, queue_of_group_;
};

}  // namespace

Problem make_problem(const Network& network, std::span<const Group> groups,
                     std::span<const Schedule> schedules, double bytes) {
  check_groups(network, groups);
  base::check(groups.size() == schedules.size() && !groups.empty(), "a schedule for each group");
  Problem problem;
  const machine::System& system = network.system();
  problem.rate_max = network.channel();
  problem.start = system.chip.collective.start;
  problem.step = system.chip.collective.step;
  problem.ring_step = system.transport.ring_step;
  problem.begin.push_back(0);
  for (std::uint32_t r = 0; r < network.resources(); ++r)
    problem.capacity.push_back(network.capacity(r));
  for (const Phase& phase : schedules[0].phases)
    problem.phases.push_back({phase.repeat, phase.rings});
  std::size_t flows = 0;
  for (const Schedule& schedule : schedules) {
    base::check(schedule.phases.size() == problem.phases.size(), "groups have the same phases");
    for (const Phase& phase : schedule.phases) flows += phase.transfers.size();
  }
  problem.flows.reserve(flows);
  problem.begin.reserve(flows + 1);
  problem.uses.reserve(flows * 6);
  Layer layer(problem, network);
  layer.begin(groups, schedules);
  for (std::uint32_t phase = 0; phase < problem.phases.size(); ++phase) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      layer.add(groups[g], schedules[g], phase, bytes);
  }
  problem.late.resize(problem.actors);
  return problem;
}

}  // namespace trainyard::fabric
