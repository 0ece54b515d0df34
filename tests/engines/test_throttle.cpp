// When does the clock limit fall and rise, and what does it cost?
#include "engines/throttle.h"

#include <gtest/gtest.h>

#include "base/random.h"

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

// Work that begins at random places of a period, each piece behind the one before it at either
// rate.
struct Pattern {
  Ticks period;
  std::vector<WorkSpan> pieces;  // begin, and how long at the full rate

  explicit Pattern(base::Random& random) {
    period = {200 + static_cast<std::int64_t>(random.below(3000))};
    Ticks at{0};
    for (;;) {
      const Ticks begin = at + Ticks{static_cast<std::int64_t>(random.below(400))};
      const Ticks length{1 + static_cast<std::int64_t>(random.below(300))};
      at = begin + length * 2;
      if (at >= period) return;
      pieces.push_back({begin, begin + length});
    }
  }
  void run(Throttle& throttle, std::int64_t turn) const {
    for (const WorkSpan& piece : pieces)
      (void)throttle.run(piece.begin + period * turn, piece.end - piece.begin);
  }
};

TEST(Throttle, RepeatingWorkIsRunningItAgain) {
  int repeated = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    base::Random random(seed);
    const Pattern pattern(random);
    Throttle throttle(spec());
    std::int64_t turn = 0;
    for (; turn < 10; ++turn) pattern.run(throttle, turn);
    throttle.keep_work(true);
    const std::int64_t changes = throttle.changes();
    pattern.run(throttle, turn++);
    const std::vector<WorkSpan> work = throttle.work_kept();
    if (throttle.changes() != changes || !throttle.is_constant(work, pattern.period)) continue;
    ++repeated;
    Throttle again = throttle;
    const auto times = static_cast<std::int64_t>(1 + random.below(50));
    again.repeat(work, pattern.period, times);
    for (std::int64_t i = 0; i < times; ++i) pattern.run(throttle, turn++);
    // Then something else comes, which may change the rate.
    Ticks start = pattern.period * turn;
    for (int i = 0; i < 20; ++i, start += Ticks{700}) {
      const Throttle::Run one = throttle.run(start, Ticks{i * 30});
      const Throttle::Run other = again.run(start, Ticks{i * 30});
      ASSERT_EQ(one.end, other.end) << seed;
      ASSERT_EQ(one.lost, other.lost) << seed;
      ASSERT_EQ(throttle.limited(), again.limited()) << seed;
    }
  }
  EXPECT_GT(repeated, 100);
}

TEST(RecurringWork, AStretchHoldsWhatACountOfTicksSays) {
  const std::vector<WorkSpan> spans{{{3}, {7}}, {{7}, {8}}, {{12}, {19}}};
  constexpr std::int64_t period = 23;
  const auto works = [&](std::int64_t tick) {
    const std::int64_t at = ((tick - 3) % period + period) % period + 3;
    return (at >= 3 && at < 8) || (at >= 12 && at < 19);
  };
  const RecurringWork work(spans, Ticks{period});
  for (std::int64_t length = 0; length < 60; ++length) {
    std::int64_t least = length, most = 0;
    for (std::int64_t begin = -30; begin < 30; ++begin) {
      std::int64_t count = 0;
      for (std::int64_t tick = begin; tick < begin + length; ++tick) count += works(tick) ? 1 : 0;
      ASSERT_EQ(work.within(Ticks{begin}, Ticks{begin + length}), Ticks{count}) << begin;
      least = std::min(least, count);
      most = std::max(most, count);
    }
    EXPECT_EQ(work.in_any(Ticks{length}).least, Ticks{least}) << length;
    EXPECT_EQ(work.in_any(Ticks{length}).most, Ticks{most}) << length;
  }
  EXPECT_FALSE(RecurringWork::are_apart(spans, Ticks{15}));
  EXPECT_TRUE(RecurringWork::are_apart(spans, Ticks{16}));
}

}  // namespace
}  // namespace trainyard::engines
