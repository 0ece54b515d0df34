// When does the clock limit fall and rise, and what does it cost?
#include "engines/throttle.h"

#include <gtest/gtest.h>

namespace trainyard::engines {
namespace {

using base::Ticks;

// Windows of 1000 ticks, half speed when limited, busy from half of a window's work on.
machine::Throttle spec() {
  machine::Throttle s;
  s.enabled = true;
  s.starts_low = true;
  s.window = {1000};
  s.low = 4;
  s.full = 8;
  s.denominator = 8;
  s.threshold = {0.5};
  s.windows_to_rise = 1;
  s.windows_to_fall = 1;
  return s;
}

TEST(Throttle, OffItCostsNothing) {
  machine::Throttle off = spec();
  off.enabled = false;
  Throttle throttle(off);
  const Throttle::Run run = throttle.run(Ticks{10}, Ticks{5000});
  EXPECT_EQ(run.end, Ticks{5010});
  EXPECT_EQ(run.lost, Ticks{0});
}

TEST(Throttle, ARunMayBeginWithinAWindow) {
  machine::Throttle late = spec();
  late.phase = {600};
  Throttle throttle(late);
  // The first window has 400 ticks left, too few to be busy; the second lifts the limit.
  (void)throttle.run(Ticks{0}, Ticks{600});
  EXPECT_EQ(throttle.rate(), 4);
  (void)throttle.run(Ticks{1200}, Ticks{200});
  EXPECT_EQ(throttle.rate(), 8);
}

TEST(Throttle, WorkAtTheLowRateTakesTwiceAsLong) {
  Throttle throttle(spec());
  const Throttle::Run run = throttle.run(Ticks{0}, Ticks{300});
  EXPECT_EQ(run.end, Ticks{600});
  EXPECT_EQ(run.lost, Ticks{300});
  EXPECT_EQ(throttle.slowed(Ticks{50}), Ticks{100});
}

TEST(Throttle, ABusyWindowLiftsTheLimit) {
  Throttle throttle(spec());
  // A whole window at half speed is half of its work: just busy.
  const Throttle::Run run = throttle.run(Ticks{0}, Ticks{2000});
  EXPECT_EQ(run.end, Ticks{1000 + 1500});
  EXPECT_EQ(throttle.rate(), 8);
  EXPECT_EQ(throttle.limited(), Ticks{1000});
}

TEST(Throttle, TooLittleWorkInAWindowBringsItBack) {
  Throttle throttle(spec());
  (void)throttle.run(Ticks{0}, Ticks{500});     // busy: the limit is lifted at 1000
  (void)throttle.run(Ticks{1000}, Ticks{499});  // one tick short of half
  (void)throttle.run(Ticks{2000}, Ticks{1});
  EXPECT_EQ(throttle.rate(), 4);
}

TEST(Throttle, HalfAWindowOfWorkKeepsItAway) {
  Throttle throttle(spec());
  (void)throttle.run(Ticks{0}, Ticks{500});
  (void)throttle.run(Ticks{1000}, Ticks{500});
  (void)throttle.run(Ticks{2000}, Ticks{1});
  EXPECT_EQ(throttle.rate(), 8);
}

TEST(Throttle, IdleWindowsCountAsLimitedTime) {
  Throttle throttle(spec());
  (void)throttle.run(Ticks{5500}, Ticks{1});
  EXPECT_EQ(throttle.limited(), Ticks{5000});
}

TEST(Throttle, SeveralWindowsMayBeNeededToRise) {
  machine::Throttle slow = spec();
  slow.windows_to_rise = 2;
  Throttle throttle(slow);
  EXPECT_EQ(throttle.run(Ticks{0}, Ticks{2000}).end, Ticks{2000 + 1000});
}

}  // namespace
}  // namespace trainyard::engines
