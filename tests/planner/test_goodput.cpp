// Is the closed form of failures what runs with random failures come to, and is the published run's
// goodput met?
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "planner/goodput.h"

namespace trainyard::planner {
namespace {

Sheet sheet() { return {machine::load_accelerator("h100"), economics::load_prices()}; }

// The Llama 3 report: 419 unexpected interruptions in 54 days on 16,384 GPUs, more than 90 % of the
// time effective. 405 G parameters with 14 bytes of state each.
TEST(Goodput, MeetsThePublishedRun) {
  const Interruptions run = interruptions(sheet(), 16'384, 405e9 * 14 / 16'384, 128);
  EXPECT_NEAR(run.between_hours, 54.0 * 24 / 419, 0.06);
  EXPECT_GT(run.effective, 0.90);
  EXPECT_LT(run.effective, 0.96);
}

// Runs the clock through random failures: work since the last checkpoint is lost, and a restart
// that fails begins again.
double simulated(const Interruptions& run) {
  base::Random random(7);
  const double between = run.between_hours * 3600;
  const auto next_failure = [&] { return -between * std::log(1 - random.uniform()); };
  double clock = 0;
  double done = 0;
  double left = next_failure();
  for (int segment = 0; segment < 400'000; ++segment) {
    const double needed = run.interval_seconds + run.checkpoint_seconds;
    if (left >= needed) {
      clock += needed;
      left -= needed;
      done += run.interval_seconds;
      continue;
    }
    clock += left;
    left = next_failure();
    while (left < run.restart_seconds) {
      clock += left;
      left = next_failure();
    }
    clock += run.restart_seconds;
    left -= run.restart_seconds;
  }
  return done / clock;
}

TEST(Goodput, IsWhatRunsWithRandomFailuresComeTo) {
  for (const double chips : {1'000.0, 16'384.0, 200'000.0}) {
    const Interruptions run = interruptions(sheet(), chips, 5e8, 1e6);
    EXPECT_NEAR(run.effective, simulated(run), 0.006) << chips;
  }
}

TEST(Goodput, FallsWithTheClusterAndIsWholeWithoutFailures) {
  double before = 1;
  for (const double chips : {100.0, 10'000.0, 1'000'000.0}) {
    const double now = interruptions(sheet(), chips, 1e9, -1).goodput();
    EXPECT_LT(now, before);
    EXPECT_GT(now, 0);
    before = now;
  }
  const Sheet sound = sheet().with("operation.failures", 1e-6).with("operation.stragglers", 0);
  EXPECT_NEAR(interruptions(sound, 10'000, 1e9, 0).goodput(), 1, 1e-3);
}

TEST(Goodput, SparesAreTheFewestBoxesThatAreEnough) {
  for (const double chips : {512.0, 16'384.0, 1e6}) {
    const Interruptions chosen = interruptions(sheet(), chips, 1e9, -1);
    EXPECT_GE(chosen.availability, 0.99);
    EXPECT_EQ(std::fmod(chosen.spares, 8), 0);  // whole boxes
    if (chosen.spares > 0) {
      EXPECT_LT(interruptions(sheet(), chips, 1e9, chosen.spares - 8).availability, 0.99);
    }
  }
  EXPECT_LT(interruptions(sheet(), 16'384, 1e9, 0).availability, 0.1);  // somebody is always out
}

}  // namespace
}  // namespace trainyard::planner
