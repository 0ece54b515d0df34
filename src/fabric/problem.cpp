#include "fabric/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

// Adds the transfers of groups.
class Layer {
 public:
  Layer(Problem& problem, const Network& network) : problem_(problem), network_(network) {}

  // The actors and queues of a group, which is the next site. Returns its number.
  std::uint32_t begin_group(const Group& group, const Schedule& schedule, const Site& site) {
    const auto number = static_cast<std::uint32_t>(places_.size());
    std::int16_t channels = 0;
    for (const Phase& phase : schedule.phases) {
      for (const Transfer& t : phase.transfers)
        channels = std::max(channels, static_cast<std::int16_t>(t.channel + 1));
    }
    places_.push_back({problem_.actors, problem_.queues, static_cast<std::size_t>(channels)});
    problem_.actors += static_cast<std::uint32_t>(group.size() * schedule.stripes.size());
    problem_.queues +=
        static_cast<std::uint32_t>(group.size() * static_cast<std::size_t>(channels));
    for (const std::int32_t rank : group)
      problem_.rank_of_actor.insert(problem_.rank_of_actor.end(), schedule.stripes.size(), rank);
    problem_.sites.push_back(site);
    problem_.site_of_actor.resize(problem_.actors, number);
    return number;
  }

  void add(std::uint32_t number, const Group& group, const Schedule& schedule, std::size_t phase,
           double bytes, Memory memory, float share = 1) {
    const Place& place = places_[number];
    const auto stripes = schedule.stripes.size();
    double weights = 0;
    for (const Stripe& stripe : schedule.stripes) weights += stripe.weight;
    std::vector<std::uint32_t> position(group.size() * place.channels, 0);
    const auto sends = [&](std::int32_t r) {
      const std::uint32_t actor =
          place.actor + static_cast<std::uint32_t>(static_cast<std::size_t>(r) * stripes);
      return !problem_.orbits || problem_.orbits->actors[actor] == actor;
    };
    for_each_transfer(schedule.phases[phase], schedule, sends, [&](const Transfer& t) {
      const auto stripe = static_cast<std::size_t>(t.stripe);
      const auto source = static_cast<std::size_t>(t.source);
      const auto target = static_cast<std::size_t>(t.target);
      Flow flow;
      flow.source = place.actor + static_cast<std::uint32_t>(source * stripes + stripe);
      flow.target = place.actor + static_cast<std::uint32_t>(target * stripes + stripe);
      flow.phase = problem_.sites[number].first_phase + static_cast<std::uint32_t>(phase);
      if (t.channel != own_channel) {
        const std::size_t queue = source * place.channels + static_cast<std::size_t>(t.channel);
        flow.queue = place.queue + static_cast<std::uint32_t>(queue);
        flow.position = position[queue]++;
      }
      flow.bytes = bytes * schedule.stripes[stripe].weight / weights * t.count / schedule.ranks *
                   static_cast<double>(t.part);
      network_.path(group[source], group[target], t.move, path_, memory);
      flow.latency = path_.latency;
      flow.share = share;
      problem_.flows.push_back(flow);
      problem_.uses.insert(problem_.uses.end(), path_.uses.begin(), path_.uses.end());
      problem_.begin.push_back(static_cast<std::uint32_t>(problem_.uses.size()));
    });
  }

 private:
  struct Place {
    std::uint32_t actor = 0, queue = 0;
    std::size_t channels = 0;
  };
  Problem& problem_;
  const Network& network_;
  Path path_;
  std::vector<Place> places_;
};

Problem empty_problem(const Network& network) {
  Problem problem;
  const machine::System& system = network.system();
  problem.rate_max = network.channel();
  problem.step = system.chip.collective.step;
  problem.ring_step = system.transport.ring_step;
  problem.begin.push_back(0);
  for (std::uint32_t r = 0; r < network.resources(); ++r)
    problem.capacity.push_back(network.capacity(r));
  return problem;
}

std::uint32_t add_phases(Problem& problem, const Schedule& schedule) {
  const auto first = static_cast<std::uint32_t>(problem.phases.size());
  for (const Phase& phase : schedule.phases) problem.phases.push_back({phase.repeat, phase.rings});
  return first;
}

void reserve(Problem& problem, std::size_t flows) {
  problem.flows.reserve(flows);
  problem.begin.reserve(flows + 1);
  problem.uses.reserve(flows * 6);
}

std::size_t flows_of(const Schedule& schedule) {
  std::size_t flows = 0;
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  for (const Phase& phase : schedule.phases) {
    flows += phase.transfers.size() + (phase.pairs ? ranks * (ranks - 1) : 0);
    for (const Lines& lines : phase.lines)
      flows += ranks * (static_cast<std::size_t>(lines.size) - 1);
  }
  return flows;
}

// Whoever may change places with another rank in the network may do so in the schedule.
bool is_of_pairs(const Schedule& schedule) {
  return schedule.stripes.size() == 1 &&
         std::ranges::all_of(schedule.phases, [](const Phase& phase) {
           return phase.pairs && phase.transfers.empty() && phase.lines.empty();
         });
}

// The same where each rank sends to all of a line: lines are those of the group's axes, and a
// translation that carries the group onto itself carries them onto one another.
bool is_of_lines(const Schedule& schedule) {
  return std::ranges::all_of(schedule.phases, [](const Phase& phase) {
    return !phase.pairs && phase.transfers.empty() && !phase.lines.empty();
  });
}

// Of the actors of all stripes, which stay among themselves.
Orbits by_stripe(const Orbits& of_ranks, std::size_t stripes) {
  Orbits result{.each = of_ranks.each, .actors = {}, .resources = of_ranks.resources};
  result.actors.reserve(of_ranks.actors.size() * stripes);
  for (const std::uint32_t first : of_ranks.actors) {
    for (std::size_t stripe = 0; stripe < stripes; ++stripe)
      result.actors.push_back(static_cast<std::uint32_t>(first * stripes + stripe));
  }
  return result;
}

// Translations of chips that carry every collective onto itself.
std::optional<Orbits> joint_orbits(const Network& network,
                                   std::span<const Collective> collectives) {
  std::optional<Orbits> joint;
  for (const Collective& one : collectives) {
    if (!is_of_pairs(*one.schedule)) return std::nullopt;
    std::optional<Orbits> own = orbits(network, one.group, Moves::chips);
    if (!own) return std::nullopt;
    if (!joint) {
      joint = std::move(own);
      continue;
    }
    if (own->each != joint->each || own->resources != joint->resources) return std::nullopt;
    const auto before = static_cast<std::uint32_t>(joint->actors.size());
    for (const std::uint32_t actor : own->actors) joint->actors.push_back(before + actor);
  }
  return joint;
}

}  // namespace

Problem make_problem(const Network& network, std::span<const Group> groups,
                     std::span<const Schedule> schedules, double bytes, const Layout& layout) {
  check_groups(network, groups);
  base::check(groups.size() == schedules.size() && !groups.empty(), "a schedule for each group");
  Problem problem = empty_problem(network);
  add_phases(problem, schedules[0]);
  std::size_t flows = 0;
  for (const Schedule& schedule : schedules) {
    base::check(schedule.phases.size() == problem.phases.size(), "groups have the same phases");
    flows += flows_of(schedule);
  }
  if (layout.finds_orbits && groups.size() == 1 &&
      (is_of_pairs(schedules[0]) || is_of_lines(schedules[0]))) {
    if (const auto found = orbits(network, groups[0]))
      problem.orbits = by_stripe(*found, schedules[0].stripes.size());
  }
  reserve(problem, problem.orbits ? flows / problem.orbits->each : flows);
  Layer layer(problem, network);
  const auto phases = static_cast<std::uint32_t>(problem.phases.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    layer.begin_group(groups[g], schedules[g], {0, phases, network.system().chip.collective.start});
  }
  for (std::size_t phase = 0; phase < phases; ++phase) {
    for (std::uint32_t g = 0; g < groups.size(); ++g)
      layer.add(g, groups[g], schedules[g], phase, bytes, layout.memory);
  }
  // They begin at one moment: one site, so that folding need not keep groups apart.
  problem.sites.resize(1);
  problem.site_of_actor.assign(problem.actors, 0);
  problem.late.resize(problem.actors);
  return problem;
}

Problem make_joint(const Network& network, std::span<const Collective> collectives,
                   bool are_chips_alike) {
  Problem problem = empty_problem(network);
  if (are_chips_alike) problem.orbits = joint_orbits(network, collectives);
  std::map<std::uint32_t, std::uint32_t> first_phase;  // by shape
  std::size_t flows = 0;
  for (const Collective& one : collectives) {
    check_groups(network, std::span(&one.group, 1));
    flows += flows_of(*one.schedule);
    if (!first_phase.contains(one.shape))
      first_phase[one.shape] = add_phases(problem, *one.schedule);
  }
  reserve(problem, problem.orbits ? flows / problem.orbits->each : flows);
  Layer layer(problem, network);
  for (const Collective& one : collectives) {
    const auto phases = static_cast<std::uint32_t>(one.schedule->phases.size());
    const base::Ticks start = one.starts ? network.system().chip.collective.start : base::Ticks{};
    const std::uint32_t site =
        layer.begin_group(one.group, *one.schedule, {first_phase[one.shape], phases, start});
    for (std::size_t phase = 0; phase < phases; ++phase)
      layer.add(site, one.group, *one.schedule, phase, one.bytes, one.memory, one.share);
  }
  problem.late.resize(problem.actors);
  return problem;
}

}  // namespace trainyard::fabric
