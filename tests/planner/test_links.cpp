// Do collectives take what the links they cross allow, and never less?
#include <gtest/gtest.h>

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

TEST(Links, EveryLevelThatIsCrossedCostsItsShare) {
  const double expected =
      3e-6 + 2 * 1e9 * (0.75 / 256e9 + 17.0 / 18 / 4 / 320e9 + 0.5 / 72 / 128e9);
  EXPECT_NEAR(all_reduce(hierarchy(), 1e9, 144).seconds, expected, 1e-9);
}

TEST(Links, AllToAllIsHeldByItsSlowestLevel) {
  // Half of everything goes to the other rack.
  const Transfer exchange = all_to_all(hierarchy(), 1e9, 144);
  EXPECT_NEAR(exchange.seconds, 3e-6 + 0.5 * 1e9 / 128e9, 1e-9);
  EXPECT_NEAR(exchange.bytes, 1e9 * 143 / 144, 1);
}

TEST(Links, ReplicasMeetOutsideOfWhatTheySpan) {
  const Transfer outside = all_reduce(hierarchy(), 1e9, 8, 144);
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

}  // namespace
}  // namespace trainyard::planner
