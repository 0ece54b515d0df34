// Does the bill of materials give the published costs of chips that others have taken apart?
#include "economics/manufacturing.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace trainyard::economics {
namespace {

TEST(Manufacturing, AnH100CostsWhatAnalystsSay) {
  const Manufacturing cost = manufacturing_cost(load_prices(), "h100");
  EXPECT_NEAR(cost.dies.value.value, 300, 40);
  EXPECT_NEAR(cost.memory.value.value, 1350, 200);
  EXPECT_NEAR(cost.total().value.value, 3320, 200);
}

TEST(Manufacturing, AB200LiesInsideItsBracket) {
  const Estimate<Dollars> total = manufacturing_cost(load_prices(), "b200").total();
  EXPECT_LT(total.low.value, 6400);
  EXPECT_GT(total.high.value, 6400);
  EXPECT_NEAR(total.value.value, 6400, 700);
}

TEST(Manufacturing, MarginsGiveThePricesThatChipsAreSoldFor) {
  EXPECT_NEAR(manufacturing_cost(load_prices(), "h100").sold.value.value, 28'000, 2'000);
  const Estimate<Dollars> sold = manufacturing_cost(load_prices(), "b200").sold;
  EXPECT_NEAR(sold.value.value, 37'500, 4'000);
  EXPECT_LT(sold.low.value, sold.value.value);
  EXPECT_GT(sold.high.value, sold.value.value);
}

TEST(Manufacturing, DiesOfAReticleAreAFewDozenAWafer) {
  EXPECT_NEAR(dies_per_wafer(814), 63, 2);  // die-per-wafer calculators: 63 without a scribe line
  EXPECT_NEAR(dies_per_wafer(100), 640, 15);
}

TEST(Manufacturing, AChipWithoutABillIsRefused) {
  EXPECT_THROW(static_cast<void>(manufacturing_cost(load_prices(), "tpu_v7")), base::InputError);
}

}  // namespace
}  // namespace trainyard::economics
