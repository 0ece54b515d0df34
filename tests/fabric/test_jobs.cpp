// Groups without a chip, parts that differ, jobs beside each other, joules and loads of links.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/error.h"
#include "fabric/beside.h"
#include "fabric/faults.h"
#include "fabric/link_loads.h"
#include "fabric/select.h"
#include "systems.h"

namespace trainyard::fabric {
namespace {

// Whichever chip is lost: its peer across the racks has no cable then, and nothing passes the chip.
TEST(Groups, WithoutOneChipAreNearlyAsFastAsAll) {
  const Network& net = network("trn3-gen2", 8);
  const auto rate = [&](const Group& group, const Options& options) {
    const Price found =
        price(net, CollectiveOp::all_reduce, 1 << 30, std::span(&group, 1), options);
    EXPECT_TRUE(found.stuck.empty());
    return bus_factor(CollectiveOp::all_reduce, found.ranks) /
           static_cast<double>(found.time.value);
  };
  const double all = rate(every(0, 144), {});
  for (const std::int32_t lost : {0, 5, 77, 143}) {
    Group others = every(0, 144);
    std::erase(others, lost);
    Options options;
    add_fault(net, fmt::format("chip:{}@0us=down", lost), options);
    EXPECT_GT(rate(others, options), 0.85 * all) << lost;
    EXPECT_LT(rate(others, options), all) << lost;
  }
}

TEST(Exchange, OfEqualPartsTakesWhatAnAllToAllTakes) {
  const Network& net = network("trn3-gen2", 8);
  const Group group = every(0, 8);
  const auto exchange = [&](const std::vector<std::vector<double>>& counts) {
    const Schedule schedule = uneven_exchange(counts);
    return run(net, CollectiveOp::all_to_all, 1e8, std::span(&group, 1), std::span(&schedule, 1));
  };
  std::vector<std::vector<double>> counts(8, std::vector<double>(8, 3));
  const Price even = price(net, CollectiveOp::all_to_all, 1e8, std::span(&group, 1));
  EXPECT_NEAR(static_cast<double>(exchange(counts).time.value),
              static_cast<double>(even.time.value), 1e-6 * static_cast<double>(even.time.value));
  // All that two ranks send goes to each other: the link of one channel carries it.
  counts.assign(8, std::vector<double>(8, 0));
  counts[0][1] = counts[1][0] = 1;
  const Price pair = exchange(counts);
  EXPECT_GT(pair.time, even.time);
  EXPECT_EQ(pair.transfers, 2U);
  counts[0][1] = -1;
  EXPECT_THROW(static_cast<void>(uneven_exchange(counts)), base::InputError);
  counts.pop_back();
  EXPECT_THROW(static_cast<void>(uneven_exchange(counts)), base::InputError);
  EXPECT_THROW(static_cast<void>(uneven_exchange({{1, 0}, {0, 1}, {1, 1}})), base::InputError);
}

// Groups of whole sleds meet nowhere; those that share sleds share their links.
TEST(Beside, JobsSlowEachOtherWhereTheyShareLinks) {
  const Network& net = network("trn3-gen2", 1);  // eight ranks a chip
  const auto times = [&](Group first, Group second) {
    const std::vector<Job> jobs{
        {.operation = CollectiveOp::all_to_all, .bytes = 1e8, .group = std::move(first)},
        {.operation = CollectiveOp::all_to_all, .bytes = 1e7, .group = std::move(second)}};
    return beside(net, jobs);
  };
  // Cores 0 to 3 of eight chips beside cores 4 to 7 of the same chips.
  Group low, high;
  for (std::int32_t rank = 0; rank < 64; ++rank) (rank % 8 < 4 ? low : high).push_back(rank);
  const auto shared = times(low, high);
  EXPECT_GT(shared[0].beside, shared[0].alone);
  EXPECT_GT(shared[1].beside, shared[1].alone);
  EXPECT_GT(shared[1].runs, 1);
  EXPECT_EQ(shared[0].runs, 1);
  const auto apart = times(every(0, 64), every(64, 64));
  EXPECT_EQ(apart[0].beside, apart[0].alone);
  EXPECT_EQ(apart[1].beside, apart[1].alone);
  EXPECT_THROW(static_cast<void>(times(every(0, 64), every(60, 64))), base::InputError);
}

// Twice the bytes are twice the joules; a byte within a chip costs none.
TEST(Energy, CountsWhatPassesLinks) {
  const Network& net = network("trn3-gen2", 8);
  const auto joules = [&](CollectiveOp operation, const Group& group, double bytes) {
    return price(net, operation, bytes, std::span(&group, 1)).link_joules;
  };
  // One hop of a sled's switch, 125 pJ a byte (75 to 220), and one cable, 65 pJ.
  const auto sled = joules(CollectiveOp::send_receive, {0, 1}, 1e9);
  EXPECT_NEAR(sled.value, 0.125, 1e-6);
  EXPECT_NEAR(sled.low, 0.075, 1e-6);
  EXPECT_NEAR(sled.high, 0.22, 1e-6);
  EXPECT_NEAR(joules(CollectiveOp::send_receive, {0, 72}, 1e9).value, 0.065, 1e-6);
  EXPECT_NEAR(joules(CollectiveOp::send_receive, {0, 73}, 1e9).value, 0.19, 1e-6);
  const Network& cores = network("trn3-gen2", 1);
  const Group chip = every(0, 8);
  EXPECT_EQ(price(cores, CollectiveOp::all_reduce, 1e6, std::span(&chip, 1)).link_joules.value, 0);
  // A copy between cores: read and written in HBM, 31 pJ a byte (24 to 56), once by DMA, 6 pJ.
  const Group pair{0, 1};
  const auto copy = price(cores, CollectiveOp::permute, 1e9, std::span(&pair, 1)).memory_joules;
  const auto sent = price(cores, CollectiveOp::send_receive, 1e9, std::span(&pair, 1));
  EXPECT_NEAR(sent.memory_joules.value, 0.068, 1e-6);
  EXPECT_LT(sent.memory_joules.low, sent.memory_joules.value);
  EXPECT_GE(copy.value, sent.memory_joules.value);
  // A level without a figure has that of the chip's links.
  EXPECT_NEAR(
      price(network("trn2-server", 8), CollectiveOp::send_receive, 1e9, std::vector<Group>{{0, 1}})
          .link_joules.value,
      0.05, 1e-6);
}

TEST(LinkLoads, AreThoseOfThePriceByLink) {
  const Network& net = network("trn3-gen2", 8);
  const std::vector<Group> groups{every(0, 36)};
  const Price found = price(net, CollectiveOp::all_reduce, 1e8, groups);
  std::vector<Schedule> plans;
  for (Schedule& one : schedules(net, CollectiveOp::all_reduce, groups[0])) {
    if (one.algorithm == found.algorithm) plans.push_back(std::move(one));
  }
  std::map<std::string, double> busiest;
  for (const LinkLoad& load : link_loads(net, groups, plans, 1e8, found.time))
    busiest[load.kind] = std::max(busiest[load.kind], load.share);
  for (const Saturated& load : found.loads) {
    if (!load.kind.ends_with(" link")) continue;
    EXPECT_NEAR(busiest[load.kind], load.share, 1e-3) << load.kind;
  }
  EXPECT_EQ(busiest["twin link"], 0);
}

}  // namespace
}  // namespace trainyard::fabric
