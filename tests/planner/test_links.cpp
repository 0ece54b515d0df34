// Do collectives take what the links they cross allow, and never less?
#include <gtest/gtest.h>

#include <numeric>

#include "planner/links.h"

namespace trainyard::planner {
namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

// One switch: `chips` chips at `rate`, no latency.
Chip flat(double chips, double rate) {
  Chip chip;
  chip.levels[0] = {.size = chips, .bandwidth = rate};
  chip.levels[3] = {.size = 1e6, .bandwidth = rate / 100};
  return chip;
}

// 4 x 18 x 2 chips, as a Gen2 UltraServer.
Chip hierarchy() {
  Chip chip;
  chip.levels[0] = {.size = 4, .bandwidth = 256e9, .latency = 1e-6};
  chip.levels[1] = {.size = 18, .bandwidth = 320e9, .latency = 1e-6};
  chip.levels[2] = {.size = 2, .bandwidth = 128e9, .latency = 1e-6};
  chip.levels[3] = {.size = 1e6, .bandwidth = 25e9, .latency = 20e-6};
  return chip;
}

// The injection bounds that collective simulators are measured against: 144 chips, 1 GiB, 1000
// GiB/s.
TEST(Links, OneSwitchGivesTheInjectionBound) {
  const Chip chip = flat(144, 1000 * gibibyte);
  EXPECT_NEAR(all_reduce(chip, gibibyte, 144).seconds, 1986e-6, 1e-6);
  EXPECT_NEAR(all_to_all(chip, gibibyte, 144).seconds, 993e-6, 1e-6);
}

TEST(Links, AGroupInsideOfALevelUsesNothingElse) {
  const Transfer four = all_reduce(hierarchy(), 1e9, 4);
  EXPECT_NEAR(four.seconds, 1e-6 + 2 * 0.75 * 1e9 / 256e9, 1e-9);
  EXPECT_EQ(all_reduce(hierarchy(), 1e9, 1).seconds, 0);
}

TEST(Links, LevelsWorkAtOnceAndTheSlowestCounts) {
  Chip chip = hierarchy();
  const Transfer inner = all_reduce(chip, 1e9, 144);
  EXPECT_NEAR(inner.seconds, 3e-6 + 2 * 1e9 * 0.75 / 256e9, 1e-9);
  const double ring = 143.0 / 144;  // what passes an outer link is of the whole ring
  EXPECT_NEAR(inner.bytes, 2e9 * (0.75 + ring / 4 + ring / 72), 1);
  chip.levels[2].bandwidth = 1e9;
  EXPECT_NEAR(all_reduce(chip, 1e9, 144).seconds, 3e-6 + 2e9 / 72 * ring / 1e9, 1e-9);
}

TEST(Links, ARingHasManyStepsAndATreeFew) {
  Chip chip = flat(64, 100e9);
  chip.levels[0].step = 1e-6;
  EXPECT_NEAR(all_reduce(chip, 1e3, 64).seconds, 12e-6 + 2e3 / 100e9, 1e-12);
  EXPECT_NEAR(all_reduce(chip, 1e10, 64).seconds, 126e-6 + 2e10 * 63 / 64 / 100e9, 1e-9);
  EXPECT_NEAR(all_reduce(chip, 1e3, 2).seconds, 2e-6 + 1e3 / 100e9, 1e-12);
}

TEST(Links, ASwitchThatAddsSavesUpToHalf) {
  Chip chip = flat(8, 100e9);
  chip.levels[0].step = 1e-6;
  chip.levels[0].in_switch = 1;
  EXPECT_NEAR(all_reduce(chip, 1e9, 8).seconds, 2e-6 + 1e9 / 100e9, 1e-12);
  chip.levels[0].in_switch = 0.5;
  EXPECT_NEAR(all_reduce(chip, 1e9, 8).seconds, 2e-6 + 1.375e9 / 100e9, 1e-12);
  EXPECT_NEAR(all_reduce(chip, 1e9, 2).seconds, 2e-6 + 1e9 / 100e9, 1e-12);
}

TEST(Links, AllToAllIsHeldByItsSlowestLevel) {
  // Half of everything goes to the other rack.
  const Transfer exchange = all_to_all(hierarchy(), 1e9, 144);
  EXPECT_NEAR(exchange.seconds, 3e-6 + 0.5 * 1e9 / 128e9, 1e-9);
  EXPECT_NEAR(exchange.bytes, 1e9 * 143 / 144, 1);
}

TEST(Links, ReplicasMeetOutsideOfWhatTheySpan) {
  const Transfer outside = all_reduce_replicas(hierarchy(), 1e9, 8, 144);
  EXPECT_NEAR(outside.seconds, 20e-6 + 2 * 7.0 / 8 * 1e9 / 25e9, 1e-9);
  EXPECT_NEAR(send(hierarchy(), 1e9, 72).seconds, 1e-6 + 1e9 / 128e9, 1e-9);
}

TEST(Links, MoreChipsOrBytesNeverTakeLess) {
  double before = 0;
  for (double group = 2; group <= 1024; group *= 2) {
    const double now = all_reduce(hierarchy(), 1e9, group).seconds;
    EXPECT_GE(now, before);
    before = now;
  }
}

// Trainium's collectives are those of fabric: the schedules of 8 chips of two cores each, divided
// by what a collective in a step reaches.
TEST(Links, TakeTheSchedulesOfADescribedSystem) {
  Chip chip = hierarchy();
  chip.logical_cores = 4;
  chip.reach_collective = 0.5;
  chip.schedules = std::make_shared<Schedules>("trn3-gen2", 4);
  const fabric::Network network(machine::load_system("trn3-gen2"), 2);
  fabric::Group group(32);
  std::iota(group.begin(), group.end(), 0);
  const auto price = [&](fabric::CollectiveOp operation, double bytes) {
    const auto found = fabric::price(network, operation, bytes, std::span(&group, 1));
    return base::to_nanoseconds(found.time) * 1e-9;
  };
  EXPECT_NEAR(all_reduce(chip, 1e8, 8).seconds, 2 * price(fabric::CollectiveOp::all_reduce, 1e8),
              1e-9);
  EXPECT_NEAR(all_to_all(chip, 1e8, 8).seconds,
              2 * price(fabric::CollectiveOp::all_to_all, 1e8 / 4), 1e-9);
  // The cores of one chip have collectives, too; what leaves the system has none.
  EXPECT_GT(all_reduce(chip, 1e8, 1).seconds, 0);
  EXPECT_EQ(all_reduce_replicas(chip, 1e9, 8, 144).seconds,
            all_reduce_replicas(hierarchy(), 1e9, 8, 144).seconds);
}

TEST(Links, AreFastAndSlowAtTheEndsOfUnpublishedFigures) {
  Schedules schedules("trn3-gen2", 4);
  const Schedules::Question question{.bytes = 1e8, .chips = 16};
  const double middle = *schedules.seconds(question, 1);
  EXPECT_LT(*schedules.seconds(question, 0), middle);
  EXPECT_GT(*schedules.seconds(question, 2), middle);
  EXPECT_NEAR(*schedules.seconds(question, 1.5), (middle + *schedules.seconds(question, 2)) / 2,
              1e-12);
  EXPECT_FALSE(schedules.seconds({.bytes = 1e8, .chips = 145}, 1));
}

// What no estimate may beat is below every schedule and every ring, tree and switch.
TEST(Links, TheBoundIsBelowAllOfThem) {
  for (const std::string& machine : machine::available_accelerators()) {
    const Sheet sheet(machine::load_accelerator(machine), economics::load_prices());
    Chip chip = chip_of(sheet);
    const Chip ideal = ideal_of(sheet);
    chip.link_ends = 0;
    chip.reach_collective = 1;
    for (double group = 1; group <= 64 * chip.domain(); group *= 2) {
      for (const double bytes : {1e4, 1e6, 1e9}) {
        EXPECT_GE(all_reduce(chip, bytes, group).seconds, all_reduce(ideal, bytes, group).seconds)
            << machine << " " << group << " " << bytes;
        EXPECT_GE(all_to_all(chip, bytes, group).seconds, all_to_all(ideal, bytes, group).seconds)
            << machine << " " << group << " " << bytes;
      }
    }
  }
}

}  // namespace
}  // namespace trainyard::planner
