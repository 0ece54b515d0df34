// Are durations computed from rates exact, and rounded up?
#include <gtest/gtest.h>

#include "machine/quantity.h"

namespace trainyard::machine {
namespace {

TEST(Bandwidth, RoundsUpToATickAndNeverOverflows) {
  const Bandwidth link{38'400'000'000};  // 4.375 ticks a byte
  EXPECT_EQ(link(base::Bytes{0}).value, 0);
  EXPECT_EQ(link(base::Bytes{1}).value, 5);
  EXPECT_EQ(link(base::Bytes{8}).value, 35);
  EXPECT_EQ(link(base::Bytes{38'400'000'000}), base::nanoseconds(1'000'000'000));
  const Bandwidth slow{1'000'000};
  EXPECT_EQ(slow(base::Bytes{49'000'000'000}), base::nanoseconds(49'000'000'000'000));
}

TEST(Rate, RoundsUpToACycle) {
  EXPECT_EQ(Rate({4, 1})(512).value, 128);
  EXPECT_EQ(Rate({4, 1})(513).value, 129);
  EXPECT_EQ(Rate({1, 2})(512).value, 1024);
  EXPECT_EQ(Rate({3, 13})(6).value, 26);
  EXPECT_EQ(Rate({3, 13})(7).value, 31);
}

}  // namespace
}  // namespace trainyard::machine
