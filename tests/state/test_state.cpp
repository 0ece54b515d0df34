#include <gtest/gtest.h>

#include "base/error.h"
#include "state/core.h"

namespace trainyard::state {
namespace {

TEST(Pages, CostNothingUntilTouched) {
  Hbm hbm(std::int64_t{144} << 30);
  EXPECT_LT(hbm.resident_bytes(), 1 << 20);
  *hbm.at(std::int64_t{143} << 30) = std::byte{1};
  EXPECT_GT(hbm.resident_bytes(), 0);
  EXPECT_LT(hbm.resident_bytes(), 4 << 20);
}

TEST(WrittenMap, FindsTheFirstUnwrittenByte) {
  WrittenMap map(1000);
  map.mark(3, 200);
  EXPECT_TRUE(map.all_written(3, 200));
  EXPECT_EQ(map.first_unwritten(0, 10), 0);
  EXPECT_EQ(map.first_unwritten(100, 500), 203);
  map.forget(64, 1);
  EXPECT_EQ(map.first_unwritten(3, 200), 64);
  EXPECT_EQ(map.first_written(64, 10), 65);
  EXPECT_EQ(map.first_written(300, 10), 310);
}

TEST(Hbm, RefusesWhatDoesNotFit) {
  Hbm hbm(1 << 20);
  EXPECT_EQ(hbm.allocate(100), 0);
  EXPECT_EQ(hbm.allocate(100), 4096);
  EXPECT_THROW((void)hbm.allocate(1 << 20), base::InputError);
}

}  // namespace
}  // namespace trainyard::state
