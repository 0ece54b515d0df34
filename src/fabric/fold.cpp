#include "fabric/fold.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.h"

namespace trainyard::fabric {

namespace {

using Colours = std::vector<std::uint64_t>;

// A bijection of 64 bits that leaves no pattern (the finaliser of splitmix64).
constexpr std::uint64_t scatter(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}
constexpr std::uint64_t then(std::uint64_t hash, std::uint64_t word) {
  return scatter(hash * 0x9E3779B97F4A7C15u + word + 1);
}

// A map from 64-bit colours to 0, 1, 2, ... in the order they come.
class Numbering {
 public:
  std::uint32_t of(std::uint64_t colour) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    for (std::size_t at = colour & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].number == empty) {
        slots_[at] = {colour, count_};
        return count_++;
      }
      if (slots_[at].colour == colour) return slots_[at].number;
    }
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  struct Slot {
    std::uint64_t colour = 0;
    std::uint32_t number = empty;
  };
  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    count_ = 0;
    std::vector<std::uint64_t> order;
    std::ranges::sort(old, {}, &Slot::number);
    for (const Slot& slot : old) {
      if (slot.number != empty) of(slot.colour);
    }
  }
  std::vector<Slot> slots_;
  std::uint32_t count_ = 0;
};

std::uint32_t number(const Colours& colours, std::vector<std::uint32_t>& numbers) {
  Numbering numbering;
  numbers.resize(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i) numbers[i] = numbering.of(colours[i]);
  return numbering.count();
}

struct Colouring {
  Colours flows, actors, queues, resources, nodes;

  explicit Colouring(const Problem& problem)
      : flows(problem.flows.size()),
        actors(problem.actors),
        queues(problem.queues, 3),
        resources(problem.capacity.size()),
        nodes(problem.nodes, 7) {
    for (std::size_t a = 0; a < actors.size(); ++a) {
      actors[a] = scatter(static_cast<std::uint64_t>(problem.late[a].value));
      if (!problem.marks.empty()) actors[a] = then(actors[a], problem.marks[a]);
    }
    for (std::size_t r = 0; r < resources.size(); ++r)
      resources[r] = scatter(std::bit_cast<std::uint64_t>(problem.capacity[r]));
    for (const Change& change : problem.changes) {
      std::uint64_t& colour = resources[change.resource];
      colour = then(then(colour, static_cast<std::uint64_t>(change.time.value)),
                    std::bit_cast<std::uint64_t>(change.capacity));
    }
  }

  // One round: flows take the colours of what they use, and give theirs to it.
  void refine(const Problem& problem) {
    Colours to_actors(actors.size(), 0), to_queues(queues.size(), 0);
    Colours to_resources(resources.size(), 0);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const Flow& flow = problem.flows[f];
      std::uint64_t colour = then(actors[flow.source], actors[flow.target]);
      colour = then(colour, std::bit_cast<std::uint64_t>(flow.bytes));
      colour = then(colour, (std::uint64_t{flow.phase} << 32) | flow.position);
      if (flow.share != 1) colour = then(colour, std::bit_cast<std::uint32_t>(flow.share));
      colour = then(colour, static_cast<std::uint64_t>(flow.latency.value) +
                                (flow.queue == no_queue ? 0 : queues[flow.queue]));
      for (std::uint32_t u = problem.begin[f]; u < problem.begin[f + 1]; ++u) {
        const Use& use = problem.uses[u];
        colour = colour * 0x9E3779B97F4A7C15u +
                 (resources[use.resource] ^ std::bit_cast<std::uint32_t>(use.weight));
      }
      colour = scatter(colour);
      flows[f] = colour;
      to_actors[flow.source] += then(colour, 1);
      to_actors[flow.target] += then(colour, 2);
      if (flow.queue != no_queue) to_queues[flow.queue] += then(colour, 3);
      const std::uint64_t given = then(colour, 4);
      for (std::uint32_t u = problem.begin[f]; u < problem.begin[f + 1]; ++u)
        to_resources[problem.uses[u].resource] +=
            given * (2 * std::uint64_t{std::bit_cast<std::uint32_t>(problem.uses[u].weight)} + 1);
    }
    if (problem.orbits) {
      spread(to_actors, problem.orbits->actors, problem.orbits->each);
      spread(to_resources, problem.orbits->resources, problem.orbits->each);
    }
    const auto take = [](Colours& colours, const Colours& given) {
      for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = then(colours[i], given[i]);
    };
    take(actors, to_actors);
    take(queues, to_queues);
    take(resources, to_resources);
    follow_ties(problem);
  }

  // What the first transfers gave to members of an orbit, all transfers give to each of them.
  static void spread(Colours& given, const std::vector<std::uint32_t>& first, std::uint32_t each) {
    std::vector<std::uint32_t> members(given.size(), 0);
    for (std::size_t i = 0; i < given.size(); ++i) {
      ++members[first[i]];
      if (first[i] != i) given[first[i]] += given[i];
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (first[i] == i) given[i] *= each / members[i];
    }
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = given[first[i]];
  }

  void follow_ties(const Problem& problem) {
    Colours to_nodes(nodes.size(), 0), to_actors(actors.size(), 0);
    for (const Tie& tie : problem.ties) to_nodes[tie.node] += then(actors[tie.actor], tie.place);
    for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = then(nodes[n], to_nodes[n]);
    for (const Tie& tie : problem.ties) to_actors[tie.actor] += then(nodes[tie.node], tie.place);
    for (std::size_t a = 0; a < actors.size() && !problem.ties.empty(); ++a)
      actors[a] = then(actors[a], to_actors[a]);
  }
};

// The classes, as numbers in the order of their first members.
struct Classes {
  std::vector<std::uint32_t> flows, actors, queues, resources, nodes;
  std::uint32_t flow_count = 0, actor_count = 0, queue_count = 0, resource_count = 0,
                node_count = 0;

  [[nodiscard]] std::uint64_t parts() const {
    return std::uint64_t{actor_count} + queue_count + resource_count + node_count;
  }
  void take(const Colouring& colours) {
    actor_count = number(colours.actors, actors);
    queue_count = number(colours.queues, queues);
    resource_count = number(colours.resources, resources);
    node_count = number(colours.nodes, nodes);
  }
};

Classes found(const Problem& problem) {
  Colouring colours(problem);
  Classes classes;
  std::uint64_t before = 0;
  // Each round that changes anything adds a class, so the rounds end.
  for (;;) {
    colours.refine(problem);
    classes.take(colours);
    if (classes.parts() == before) break;
    before = classes.parts();
  }
  classes.flow_count = number(colours.flows, classes.flows);
  return classes;
}

Classes single(const Problem& problem) {
  Classes classes;
  const auto count = [](std::vector<std::uint32_t>& list, std::size_t size) {
    list.resize(size);
    std::iota(list.begin(), list.end(), 0u);
    return static_cast<std::uint32_t>(size);
  };
  classes.flow_count = count(classes.flows, problem.flows.size());
  classes.actor_count = count(classes.actors, problem.actors);
  classes.queue_count = count(classes.queues, problem.queues);
  classes.resource_count = count(classes.resources, problem.capacity.size());
  classes.node_count = count(classes.nodes, problem.nodes);
  return classes;
}

std::vector<std::uint64_t> sizes(const std::vector<std::uint32_t>& numbers, std::uint32_t count) {
  std::vector<std::uint64_t> result(count, 0);
  for (const std::uint32_t n : numbers) ++result[n];
  return result;
}

// Sites are alike where their actors are.
void add_sites(const Problem& problem, const Classes& classes, Folded& result) {
  constexpr std::uint32_t unknown = 0xFFFFFFFFu;
  std::vector<std::uint32_t> number(classes.actor_count, unknown);  // of the site, by actor class
  result.site_class.assign(problem.sites.size(), unknown);
  for (std::size_t a = 0; a < problem.actors; ++a) {
    const std::uint32_t site = problem.site_of_actor[a];
    std::uint32_t& of_site = result.site_class[site];
    if (of_site == unknown) of_site = number[classes.actors[a]];
    if (of_site == unknown) {
      of_site = static_cast<std::uint32_t>(result.sites.size());
      result.sites.push_back(problem.sites[site]);
    }
    number[classes.actors[a]] = of_site;
  }
  result.site_of_actor = std::move(number);
}

Folded quotient(const Problem& problem, const Classes& classes) {
  Folded result;
  const auto actors = sizes(classes.actors, classes.actor_count);
  result.resource_members = sizes(classes.resources, classes.resource_count);
  result.capacity.resize(classes.resource_count);
  result.resource_member.resize(classes.resource_count);
  for (std::size_t r = problem.capacity.size(); r-- > 0;) {
    result.capacity[classes.resources[r]] = problem.capacity[r];
    result.resource_member[classes.resources[r]] = static_cast<std::uint32_t>(r);
  }
  for (const Change& change : problem.changes) {
    const std::uint32_t of = classes.resources[change.resource];
    if (result.resource_member[of] == change.resource)
      result.changes.push_back({change.time, of, change.capacity});
  }
  result.actor_rank.resize(classes.actor_count);
  result.late.resize(classes.actor_count);
  for (std::size_t a = problem.actors; a-- > 0;) {
    result.actor_rank[classes.actors[a]] = problem.rank_of_actor[a];
    result.late[classes.actors[a]] = problem.late[a];
  }
  add_sites(problem, classes, result);
  result.node_class = classes.nodes;
  result.queues = classes.queue_count;
  auto members = sizes(classes.flows, classes.flow_count);
  if (problem.orbits) {
    for (std::uint64_t& count : members) count *= problem.orbits->each;
  }
  result.begin.push_back(0);
  // Classes are numbered in the order of their first members.
  for (std::size_t f = 0; f < problem.flows.size(); ++f) {
    const std::uint32_t number = classes.flows[f];
    if (number != result.flows.size()) continue;
    FlowClass one{.flow = problem.flows[f], .members = members[number]};
    one.source_rank = problem.rank_of_actor[one.flow.source];
    one.target_rank = problem.rank_of_actor[one.flow.target];
    one.flow.source = classes.actors[one.flow.source];
    one.flow.target = classes.actors[one.flow.target];
    if (one.flow.queue != no_queue) one.flow.queue = classes.queues[one.flow.queue];
    const std::uint64_t targets = actors[one.flow.target];
    base::check(one.members % targets == 0, "members of a class arrive alike");
    one.arrivals = static_cast<std::uint32_t>(one.members / targets);
    for (std::uint32_t u = problem.begin[f]; u < problem.begin[f + 1]; ++u) {
      const std::uint32_t of = classes.resources[problem.uses[u].resource];
      result.resource.push_back(of);
      result.first_resource.push_back(problem.uses[u].resource);
      result.weight.push_back(static_cast<double>(problem.uses[u].weight) *
                              static_cast<double>(one.members) /
                              static_cast<double>(result.resource_members[of]));
    }
    result.begin.push_back(static_cast<std::uint32_t>(result.resource.size()));
    result.flows.push_back(one);
  }
  base::check(result.flows.size() == classes.flow_count, "every class has a first member");
  return result;
}

}  // namespace

Folded fold(const Problem& problem) { return quotient(problem, found(problem)); }
Folded unfolded(const Problem& problem) {
  base::check(!problem.orbits, "every transfer is there");
  return quotient(problem, single(problem));
}

}  // namespace trainyard::fabric
