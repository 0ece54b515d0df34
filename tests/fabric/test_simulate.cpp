// Do folded runs take what unfolded ones take, and shared rates what packets take?
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "fabric/collectives/placement.h"
#include "fabric/cost_table.h"
#include "fabric/select.h"
#include "fabric/sharing.h"
#include "packets.h"
#include "systems.h"

namespace trainyard::fabric {
namespace {

struct Case {
  std::string system;
  std::int64_t cores_per_rank;
  Group group;
};

std::vector<Case> cases() {
  return {{"trn1-server", 1, every(0, 32)},     {"trn1-server", 1, every(2, 10, 3)},
          {"trn2-server", 2, every(0, 16)},     {"trn2-ultraserver", 8, every(0, 64)},
          {"trn3-gen2", 8, every(0, 24)},       {"trn3-gen2", 8, every(0, 144)},
          {"trn3-gen2", 1, every(0, 16)},       {"trn3-gen1", 2, {5, 9, 200, 31, 7, 77}},
          {"trn3-cluster", 8, every(0, 8, 72)}, {"trn3-gen2", 8, {0, 1, 2, 4, 5, 6, 7, 72, 75}}};
}

// Unfolded, rates are sums in another order: a transfer may end a tick (6 ps) off.
constexpr std::int64_t slack_ticks = 50;

TEST(Fold, TakesWhatEveryRankForItselfTakes) {
  for (const Case& one : cases()) {
    const Network& net = network(one.system, one.cores_per_rank);
    for (const CollectiveOp operation : {CollectiveOp::all_reduce, CollectiveOp::all_to_all,
                                         CollectiveOp::broadcast, CollectiveOp::permute}) {
      for (const Schedule& schedule : schedules(net, operation, one.group)) {
        const std::span groups(&one.group, 1);
        const std::span only(&schedule, 1);
        const Price folded = run(net, operation, 3e6, groups, only);
        const Price single = run(net, operation, 3e6, groups, only, {.folds_ranks = false});
        EXPECT_LE(std::abs((folded.time - single.time).value), slack_ticks)
            << one.system << " " << schedule.algorithm << " " << name(operation);
        EXPECT_EQ(folded.transfers, single.transfers);
        EXPECT_LE(folded.classes, single.classes);
      }
    }
  }
}

// A system whose levels have these numbers of members.
Network with_sizes(const char* name, std::int64_t cores, std::span<const char* const> settings) {
  machine::System system = machine::load_system(name);
  for (const char* setting : settings) system = machine::apply_override(std::move(system), setting);
  return {std::move(system), cores};
}

void expect_same_classes(const Network& net, const Group& group) {
  for (const CollectiveOp operation : {CollectiveOp::all_reduce, CollectiveOp::all_gather,
                                       CollectiveOp::all_to_all, CollectiveOp::barrier}) {
    for (const Schedule& schedule : schedules(net, operation, group)) {
      const std::span groups(&group, 1);
      const std::span only(&schedule, 1);
      const Problem whole = make_problem(net, groups, only, 3e6);
      const Problem part = make_problem(net, groups, only, 3e6, {.finds_orbits = true});
      const Folded expected = fold(whole), found = fold(part);
      const std::string where =
          net.system().name + " " + schedule.algorithm + " " + std::to_string(group.size());
      ASSERT_EQ(found.flows.size(), expected.flows.size()) << where;
      for (std::size_t f = 0; f < found.flows.size(); ++f) {
        EXPECT_EQ(found.flows[f].members, expected.flows[f].members) << where;
        EXPECT_EQ(found.flows[f].arrivals, expected.flows[f].arrivals) << where;
        EXPECT_EQ(found.flows[f].target_rank, expected.flows[f].target_rank) << where;
      }
      EXPECT_EQ(found.resource, expected.resource) << where;
      EXPECT_EQ(found.weight, expected.weight) << where;
      EXPECT_EQ(found.capacity, expected.capacity) << where;
      EXPECT_EQ(found.resource_members, expected.resource_members) << where;
      EXPECT_EQ(simulate(found, part).timing.time, simulate(expected, whole).timing.time) << where;
    }
  }
}

// Where everybody sends to everybody, the ranks that translations of the network carry onto each
// other need not be looked at one by one.
TEST(Fold, FindsTheSameClassesInOneRankOfEachOrbit) {
  for (const Case& one : cases())
    expect_same_classes(network(one.system, one.cores_per_rank), one.group);
  expect_same_classes(network("trn3-gen2", 2), every(0, 96));
  expect_same_classes(network("trn2-cluster", 8), every(0, 32));
  expect_same_classes(network("trn2-server", 1), every(0, 48));
  expect_same_classes(network("trn2-server", 8), every(1, 8, 2));
  expect_same_classes(with_sizes("trn1-server", 1, std::to_array({"x.size=5", "y.size=3"})),
                      every(0, 30));
  expect_same_classes(with_sizes("trn3-gen2", 8, std::to_array({"rack.size=3", "twin.size=3"})),
                      every(0, 36));
  expect_same_classes(with_sizes("trn3-gen2", 8, std::to_array({"rack.size=3", "twin.size=4"})),
                      every(0, 24));
  expect_same_classes(
      with_sizes("trn3-gen2", 4,
                 std::to_array({"sled.oversubscription=2", "rack.oversubscription=1.5"})),
      every(0, 144));
}

TEST(Fold, LaysOutOneRankOfAWholeUltraServer) {
  const Network& net = network("trn3-gen2", 1);
  const Group all = every(0, 1152);
  const Schedule schedule = schedules(net, CollectiveOp::all_to_all, all)[0];
  const Problem part =
      make_problem(net, std::span(&all, 1), std::span(&schedule, 1), 1e9, {.finds_orbits = true});
  EXPECT_EQ(part.flows.size(), 1151u);
  const Price price =
      run(net, CollectiveOp::all_to_all, 1e9, std::span(&all, 1), std::span(&schedule, 1));
  EXPECT_EQ(price.transfers, 1152u * 1151u);
  EXPECT_EQ(price.loads[0].kind, "twin link");
}

TEST(Fold, FindsThatRanksOfAFullTorusAreAlike) {
  const Group all = every(0, 32);
  const Schedule schedule = schedules(network("trn1-server", 1), CollectiveOp::all_to_all, all)[0];
  const Price price = run(network("trn1-server", 1), CollectiveOp::all_to_all, 1e6,
                          std::span(&all, 1), std::span(&schedule, 1));
  EXPECT_EQ(price.transfers, 32u * 31u);
  EXPECT_LE(price.classes, 8u);
}

// One slow link, and its users are no longer like the others.
TEST(Fold, SeesASlowLink) {
  Network net(machine::load_system("trn3-gen2"), 8);
  const Group all = every(0, 144);
  const double healthy =
      base::to_nanoseconds(price(net, CollectiveOp::all_to_all, 1e9, std::span(&all, 1)).time);
  net.scale(net.find("chip 7, twin link")[0], 0.5);
  const Price slow = price(net, CollectiveOp::all_to_all, 1e9, std::span(&all, 1));
  EXPECT_NEAR(base::to_nanoseconds(slow.time) / healthy, 2, 0.05);
  EXPECT_EQ(slow.loads[0].name, "chip 7, twin link");
}

// Everything that starts at once, on a network of `system`.
void compare_with_packets(const Network& net, const Group& group, const Schedule& schedule,
                          double bytes) {
  Problem problem = make_problem(net, std::span(&group, 1), std::span(&schedule, 1), bytes);
  problem.sites[0].start = problem.step = {};
  for (Flow& flow : problem.flows) flow.latency = {};
  const Folded flows = unfolded(problem);
  std::vector<Span> spans;
  (void)simulate(flows, problem, &spans);
  const std::vector<base::Ticks> packets = packet_times(problem);
  base::Ticks last_flow, last_packet;
  for (const Span& span : spans) last_flow = std::max(last_flow, span.end);
  for (const base::Ticks time : packets) last_packet = std::max(last_packet, time);
  const double ratio =
      static_cast<double>(last_flow.value) / static_cast<double>(last_packet.value);
  EXPECT_NEAR(ratio, 1, 0.02) << net.system().name << " " << schedule.algorithm;
}

TEST(Packets, TakeWhatSharedRatesTake) {
  for (const Case& one : cases()) {
    if (one.group.size() > 32) continue;
    const Network& net = network(one.system, one.cores_per_rank);
    for (const CollectiveOp operation : {CollectiveOp::all_to_all, CollectiveOp::permute}) {
      const Schedule schedule = schedules(net, operation, one.group)[0];
      compare_with_packets(net, one.group, schedule, 1e6 * static_cast<double>(one.group.size()));
    }
  }
}

TEST(Packets, AgreeOnRandomTransfers) {
  std::mt19937 random(7);
  for (const char* system : {"trn2-server", "trn3-gen2"}) {
    const Network& net = network(system, 8);
    for (int round = 0; round < 4; ++round) {
      const Group group = every(0, 12);
      Schedule schedule{.algorithm = "random", .ranks = 12};
      schedule.phases.resize(1);
      for (int i = 0; i < 20; ++i) {
        const auto source = static_cast<std::int32_t>(random() % 12);
        const auto target = static_cast<std::int32_t>(random() % 12);
        const auto count = static_cast<std::int32_t>(1 + random() % 4);
        if (source != target)
          schedule.phases[0].transfers.push_back(
              {.source = source, .target = target, .count = count});
      }
      compare_with_packets(net, group, schedule, 96e6);
    }
  }
}

// Shared rates know no credits. Those that cover the way there and back of a transfer at its rate
// cost nothing; with fewer, a transfer alone takes as much longer as they are too few.
double slowdown_by_credits(const Network& net, std::int32_t from, std::int32_t to, double covered) {
  const Group pair{from, to};
  Schedule message{.algorithm = "message", .ranks = 2};
  message.phases = {Phase{.from_input = true}};
  message.phases[0].transfers = {{.source = 0, .target = 1, .count = 2}};
  Problem problem = make_problem(net, std::span(&pair, 1), std::span(&message, 1), 64e6);
  problem.sites[0].start = problem.step = {};
  const double seconds = 2 * base::to_nanoseconds(problem.flows[0].latency) * 1e-9;
  std::vector<Span> spans;
  (void)simulate(unfolded(problem), problem, &spans);
  const double rate = 64e6 / (base::to_nanoseconds(spans[0].end) * 1e-9);
  PacketOptions options{.has_latency = true};
  // A packet is in every stage of the path for its own time.
  const auto stages = static_cast<double>(problem.begin[1] + 1);
  options.credits = static_cast<std::uint32_t>(
      std::ceil((rate * seconds / options.packet) * covered + (covered < 1 ? 0 : stages)));
  const base::Ticks shared = spans[0].end + problem.flows[0].latency;
  return base::to_nanoseconds(packet_times(problem, options)[0]) / base::to_nanoseconds(shared);
}

TEST(Packets, CreditsThatCoverAPathCostNothing) {
  const Network& switched = network("trn3-gen2", 8);
  const Network& cluster = network("trn2-cluster", 8);
  const Network& torus = network("trn2-ultraserver", 8);
  EXPECT_NEAR(slowdown_by_credits(switched, 0, 143, 1), 1, 0.02);
  EXPECT_NEAR(slowdown_by_credits(cluster, 0, 31, 1), 1, 0.02);
  EXPECT_NEAR(slowdown_by_credits(torus, 0, 42, 1), 1, 0.02);
  // A quarter of what the path holds: four times as long.
  EXPECT_NEAR(slowdown_by_credits(cluster, 0, 31, 0.25), 4, 0.2);
  EXPECT_NEAR(slowdown_by_credits(torus, 0, 42, 0.25), 4, 0.2);
}

TEST(Bounds, AnAllToAllReachesThatOfItsBusiestLink) {
  const Group all = every(0, 144);
  const Price price =
      fabric::price(network("trn3-gen2", 8), CollectiveOp::all_to_all, 1 << 30, std::span(&all, 1));
  // Half of a buffer crosses to the other rack, over two links of 64 GB/s at 90 %.
  const double seconds = 0.5 * (1 << 30) / (128e9 * 0.9);
  EXPECT_NEAR(base::to_nanoseconds(price.time) / (seconds * 1e9), 1, 0.01);
  EXPECT_EQ(price.loads[0].kind, "twin link");
}

// What is in SBUF on both sides takes nothing of the HBM stacks, and is never slower for it.
TEST(Memory, BuffersInSbufTakeNoBandwidthOfHbm) {
  const auto takes_hbm = [](const Price& price) {
    return std::ranges::any_of(price.loads, [](const Saturated& s) { return s.kind == "HBM"; });
  };
  for (const std::int32_t ranks : {8, 64, 1152}) {
    const Group all = every(0, ranks);
    const auto of = [&](Memory memory) {
      return price(network("trn3-gen2", 1), CollectiveOp::all_reduce, 1 << 22, std::span(&all, 1),
                   {.memory = memory});
    };
    const Price in_hbm = of(Memory::hbm), in_sbuf = of(Memory::sbuf);
    EXPECT_TRUE(takes_hbm(in_hbm));
    EXPECT_FALSE(takes_hbm(in_sbuf));
    EXPECT_LE(in_sbuf.time, in_hbm.time);
  }
  // Every rank adds what seven others send; its stack, which it shares, would be full.
  const Group chip = every(0, 8);
  const auto bound = [&](Memory memory) {
    return price(network("trn3-gen2", 1), CollectiveOp::all_reduce, 1 << 28, std::span(&chip, 1),
                 {.algorithm = "single-step mesh", .memory = memory})
        .bound;
  };
  EXPECT_LT(bound(Memory::sbuf), bound(Memory::hbm));
}

TEST(Faults, ACutLinkIsNamedWithWhoWaits) {
  Network net(machine::load_system("trn3-gen2"), 8);
  const Group all = every(0, 8);
  const auto link = net.find("chip 5, sled link out");
  ASSERT_EQ(link.size(), 1u);
  Options options{.algorithm = "ring"};
  options.changes = {{base::nanoseconds(10'000), link[0], 0}};
  const Price price =
      fabric::price(net, CollectiveOp::all_reduce, 1e8, std::span(&all, 1), options);
  ASSERT_FALSE(price.stuck.empty());
  EXPECT_NE(price.stuck[0].find("chip 5, sled link out is down"), std::string::npos)
      << price.stuck[0];
}

// Who waits is a rank, not a class of ranks: no rank waits for itself.
TEST(Faults, WhoWaitsAreMembersOfOneTransfer) {
  const Network& net = network("trn3-gen2", 8);
  const Group all = every(0, 144);
  Options options;
  for (const std::uint32_t link : net.find("chip 5, twin link"))
    options.changes.push_back({base::nanoseconds(10'000), link, 0});
  const Price price =
      fabric::price(net, CollectiveOp::all_reduce, 1 << 30, std::span(&all, 1), options);
  ASSERT_FALSE(price.stuck.empty());
  for (const std::string& text : price.stuck) {
    const std::size_t from = text.find("rank "), to = text.rfind(" rank ");
    ASSERT_NE(to, text.npos) << text;
    EXPECT_NE(std::stoi(text.substr(from + 5)), std::stoi(text.substr(to + 6))) << text;
  }
}

TEST(Faults, ALateRankDelaysTheOthers) {
  const Network& net = network("trn3-gen2", 8);
  const Group all = every(0, 8);
  const auto time = [&](const Options& options) {
    return fabric::price(net, CollectiveOp::all_reduce, 1e6, std::span(&all, 1), options).time;
  };
  const base::Ticks delay = base::nanoseconds(50'000);
  const base::Ticks late = time({.late = {{3, delay}}});
  EXPECT_GE(late, delay);
  EXPECT_LE(late, time({}) + delay);
}

TEST(Groups, AreRefusedWhereARankIsMissingOrTwice) {
  const Network& net = network("trn2-server", 2);
  for (const Group& group : {Group{0, 64}, Group{3, 3}, Group{-1, 2}}) {
    EXPECT_THROW((void)price(net, CollectiveOp::all_reduce, 1e3, std::span(&group, 1)),
                 base::InputError);
  }
  EXPECT_THROW((void)price(net, CollectiveOp::all_reduce, 1e3, {}), base::InputError);
  const Group all = every(0, 6);
  EXPECT_THROW(
      (void)price(net, CollectiveOp::all_reduce, 1e3, std::span(&all, 1), {.algorithm = "halving"}),
      base::InputError);
}

// Eight messages over one link of 230.4 GB/s, four of them of a class that gets a quarter: the link
// is full all along, the first four have four fifths of it.
TEST(Priorities, ShareALinkByTheirClasses) {
  constexpr auto fast = std::to_array<const char*>({"transport.channel=87GB/s"});
  const Network net = with_sizes("trn3-gen2", 1, fast);
  Schedule message{.algorithm = "message", .ranks = 2};
  message.phases = {Phase{.from_input = true}};
  message.phases[0].transfers = {{.source = 0, .target = 1, .count = 2}};
  std::vector<Collective> all;
  for (std::int32_t r = 0; r < 8; ++r)
    all.push_back({{r, 8 + r}, &message, 1e8, false, 0, r < 4 ? 1.0F : 0.25F});
  const Problem problem = make_joint(net, all);
  for (const Folded& folded : {unfolded(problem), fold(problem)}) {
    std::vector<Span> spans;
    (void)simulate(folded, problem, &spans);
    const double full = 64e9 * 4 * 0.9;
    for (const Span& span : spans) {
      const bool first = folded.flows[span.flow].flow.share == 1;
      const double seconds = base::to_nanoseconds(span.end - span.begin) * 1e-9;
      EXPECT_NEAR(seconds, first ? 1e8 / (full / 5) : 8e8 / full, 1e-6);
    }
  }
}

// A table asked for many sizes says what each algorithm, laid out anew, takes at best.
TEST(CostTable, SaysAtEverySizeWhatTheFastestScheduleTakes) {
  const Network& net = network("trn2-server", 2);
  const Group all = every(0, 32);
  const std::span group(&all, 1);
  CostTable table(net);
  for (const double bytes : {0.0, 1e3, 3e7, 1e5, 2.0e9, 1e5}) {
    for (const CollectiveOp operation : {CollectiveOp::all_reduce, CollectiveOp::all_gather}) {
      base::Ticks best{std::numeric_limits<std::int64_t>::max()};
      for (const Schedule& schedule : schedules(net, operation, all))
        best = std::min(best, run(net, operation, bytes, group, std::span(&schedule, 1)).time);
      const Price asked = table.price(operation, bytes, group);
      EXPECT_LE(std::abs((asked.time - best).value), slack_ticks) << bytes << asked.algorithm;
      EXPECT_EQ(asked.bytes, bytes);
    }
  }
}

// Four groups at once share what they have in common; one alone is no slower.
TEST(CostTable, RunsNoAlgorithmWhoseBoundIsAboveTheFastest) {
  const Group all = every(0, 1152);
  const Price found =
      price(network("trn3-gen2", 1), CollectiveOp::all_reduce, 1 << 28, std::span(&all, 1));
  for (const Candidate& one : found.candidates) {
    EXPECT_GE(one.time, found.time);
    EXPECT_TRUE(one.algorithm != "ring" || !one.was_run);
  }
}

// Transfers that share no resource do not change each other's rates, so that only those joined to
// a change are shared anew.
TEST(Sharing, IsThatOfEachJoinedPart) {
  std::mt19937 generator(11);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  constexpr std::uint32_t parts = 5, resources = 6, transfers = 20;
  std::vector<double> capacity;
  for (std::uint32_t r = 0; r < parts * resources; ++r)
    capacity.push_back(1 + static_cast<double>(random() % 100));
  std::vector<std::uint32_t> begin{0}, resource, all;
  std::vector<double> weight;
  std::vector<float> share;
  for (std::uint32_t f = 0; f < parts * transfers; ++f) {
    all.push_back(f);
    for (std::uint32_t uses = 1 + random() % 3; uses > 0; --uses) {
      resource.push_back(f / transfers * resources + random() % resources);
      weight.push_back(static_cast<double>(1 + random() % 3));
    }
    begin.push_back(static_cast<std::uint32_t>(resource.size()));
    share.push_back(static_cast<float>(1 + random() % 4));
  }
  const Demand demand{capacity, begin, resource, weight, 12, share};
  std::vector<double> whole(all.size(), 0), apart(all.size(), 0);
  Sharing sharing;
  sharing.share(demand, all, whole);
  for (std::uint32_t part = 0; part < parts; ++part)
    sharing.share(demand, std::span(all).subspan(part * transfers, transfers), apart);
  for (const std::uint32_t f : all) EXPECT_NEAR(whole[f], apart[f], 1e-6 * whole[f]);
}

// 128 chips end in the middle of the second rack, 20 cores in the middle of a chip.
TEST(Groups, ThatAreNoBoxAreNearlyAsFastAsThoseThatAre) {
  const auto rate = [](std::int64_t cores_per_rank, std::int32_t ranks) {
    const Group group = every(0, ranks);
    const Network& net = network("trn3-gen2", cores_per_rank);
    const Price found = price(net, CollectiveOp::all_reduce, 1 << 26, std::span(&group, 1));
    return bus_factor(CollectiveOp::all_reduce, ranks) / static_cast<double>(found.time.value);
  };
  EXPECT_GT(rate(2, 512), 0.6 * rate(2, 576));
  EXPECT_GT(rate(1, 20), 0.5 * rate(1, 24));
}

TEST(Groups, OfAChipHaveOneRingEachWayAndThoseOfATorusWhatItsLinksHold) {
  const Network& net = network("trn2-server", 2);
  const auto rings = [&](std::int32_t ranks) { return place(net, every(0, ranks)).rings; };
  EXPECT_EQ(rings(4), 1);   // one chip
  EXPECT_EQ(rings(8), 1);   // both ways use the link between two chips in both directions
  EXPECT_EQ(rings(16), 2);  // 92 GB/s a link and direction, 31 GB/s a channel
}

TEST(Groups, RunAtOnce) {
  const Network& net = network("trn3-gen2", 8);
  std::vector<Group> groups;
  for (std::int32_t g = 0; g < 4; ++g) groups.push_back(every(g, 36, 4));
  const auto together = price(net, CollectiveOp::all_to_all, 1e8, groups);
  const auto alone = price(net, CollectiveOp::all_to_all, 1e8, std::span(groups).first(1));
  EXPECT_GE(together.time, alone.time);
  EXPECT_EQ(together.transfers, 4 * alone.transfers);
}

}  // namespace
}  // namespace trainyard::fabric
