#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "base/error.h"
#include "base/units.h"

namespace trainyard::base {
namespace {

TEST(Units, EveryPublishedClockIsAWholeNumberOfTicks) {
  for (const std::int64_t megahertz : {2800, 2400, 1400, 1200, 1120, 960}) {
    EXPECT_EQ(ticks_per_nanosecond * 1000 % megahertz, 0) << megahertz;
  }
}

TEST(Error, DescribesEveryViolation) {
  const InputError error(
      {{"a.c1", "rule one", "k.py:3", "4", "use 5"}, {"a.c2", "rule two", "", "", ""}});
  EXPECT_STREQ(error.what(),
               "a.c1: 4; expected: rule one\n  at: k.py:3\n  fix: use 5\na.c2: rule two");
}

TEST(Error, BytesThatAreNoTextAreShown) {
  const InputError error(
      Violation{"a.c1", "rule", "k\x1b[2J.py:3", std::string("a\0b\n\x7f", 5), "fix it"});
  EXPECT_STREQ(error.what(),
               "a.c1: a\\x00b\n\\x7f\n  at: k\\x1b[2J.py:3\n  rule: rule\n  fix: fix it");
}

TEST(Error, TheHeadlineSaysWhatHappened) {
  const std::string long_story(81, 'x');
  const InputError error(Violation{"a.c1", "rule", "k.py:3", long_story, "fix it"});
  EXPECT_EQ(error.what(), "a.c1: " + long_story + "\n  at: k.py:3\n  rule: rule\n  fix: fix it");
  const Fault fault(FaultCategory::race, {"a.c1", "rule", "k.py:3", "it happened", "fix it"});
  EXPECT_STREQ(fault.what(), "race: a.c1: it happened\n  at: k.py:3\n  rule: rule\n  fix: fix it");
}

TEST(Error, AFailedCheckNamesItsOwnPlace) {
  const int line = __LINE__ + 2;
  try {
    check(false, "the claim");
    FAIL() << "check did not throw";
  } catch (const std::logic_error& error) {
    EXPECT_EQ(error.what(), "internal error at tests/base/test_units.cpp:" + std::to_string(line) +
                                ": the claim");
  }
}

}  // namespace
}  // namespace trainyard::base
