// Do dollars follow from hours, joules and prices as public cost models have them?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "economics/cost.h"

namespace trainyard::economics {
namespace {

const Prices& prices() {
  static const Prices list = load_prices();
  return list;
}

constexpr base::Ticks hour = base::nanoseconds(3'600'000'000'000);

TEST(Rental, IsRateTimesChipsTimesHours) {
  const auto rate = prices().rental("trn2", "capacity_block");
  EXPECT_EQ(rate.kind, machine::Kind::published);
  EXPECT_NEAR(rental_cost(rate, 16, hour).value.value, 35.76, 1e-9);
  EXPECT_NEAR(rental_cost(rate, 1, base::nanoseconds(3'600'000'000)).value.value, 0.002235, 1e-12);
}

TEST(Rental, AnUnpublishedPriceIsABracket) {
  const auto rate = prices().rental("trn3", "contract");
  EXPECT_EQ(rate.kind, machine::Kind::assumed);
  EXPECT_LT(rate.low.value, rate.value.value);
  EXPECT_LT(rate.value.value, rate.high.value);
  EXPECT_EQ(rental_cost(rate, 2, hour).high.value, 2 * rate.high.value);
  EXPECT_EQ(prices().bases("trn3"), (std::vector<std::string>{"contract", "hyperscaler_own"}));
}

// Computed by hand at 8 %: 4, 5 and 6 years.
TEST(Ownership, CapitalRecoveryFactor) {
  EXPECT_NEAR(capital_recovery_factor(0.08, 4), 0.302, 0.0005);
  EXPECT_NEAR(capital_recovery_factor(0.08, 5), 0.250, 0.0005);
  EXPECT_NEAR(capital_recovery_factor(0.08, 6), 0.216, 0.0005);
  EXPECT_DOUBLE_EQ(capital_recovery_factor(0, 4), 0.25);
}

// InferenceX has 2.21 $/GPU-h for an owned GB200; the formula with its inputs gives 2.24.
TEST(Ownership, ReproducesThePublicFigureOfGb200) {
  const Ownership own = ownership(prices(), "gb200", prices().all_in("gb200"));
  EXPECT_NEAR(own.total().value.value, 2.24, 0.005);
  EXPECT_NEAR(own.total().value.value, prices().rental("gb200", "hyperscaler_own").value.value,
              0.04);
}

// 0.93-1.03 $/chip-h is what the capital figure was inferred from, so it must come back.
TEST(Ownership, Trn3ComesBackToItsSource) {
  const Ownership own = ownership(prices(), machine::load("trn3"));
  const double total = own.total().value.value;
  EXPECT_GT(total, prices().rental("trn3", "hyperscaler_own").low.value * 0.95);
  EXPECT_LT(total, prices().rental("trn3", "hyperscaler_own").high.value * 1.05);
  EXPECT_LT(own.total().low.value, total);
  EXPECT_GT(own.total().high.value, total);
  EXPECT_EQ(own.total().kind, machine::Kind::assumed);  // the interest rate is
}

// Claims that electricity is most of the cost are wrong by an order of magnitude.
TEST(Ownership, ElectricityIsASmallShare) {
  const Ownership own = ownership(prices(), machine::load("trn3"));
  EXPECT_LT(own.electricity.value.value, 0.2 * own.total().value.value);
}

TEST(Electricity, AKilowattHourCostsItsPriceTimesPue) {
  const Estimate<Joules> kilowatt_hour{{3.6e6}, {3.6e6}, {3.6e6}, machine::Kind::estimated};
  const auto cost = electricity_cost(kilowatt_hour, prices());
  EXPECT_NEAR(cost.value.value, 0.08 * 1.14, 1e-12);
  EXPECT_NEAR(cost.high.value, 0.12 * 1.25, 1e-12);
  EXPECT_EQ(cost.kind, machine::Kind::estimated);
}

std::vector<base::Violation> violations_of(std::string_view from, std::string_view to) {
  std::string text = base::read_file(TRAINYARD_SOURCE_DIR "/machines/prices.toml");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  try {
    static_cast<void>(load_prices_text(text, "p.toml"));
  } catch (const base::InputError& error) {
    return error.violations();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(BrokenPrices, EachNamesItsRule) {
  constexpr std::string_view line =
      R"(pue = { value = 1.14, unit = "ratio", kind = "published", date = "2025", low = 1.04, high = 1.25, source =)";
  const auto label = [&](std::string_view to) {
    const auto violations = violations_of(line, to);
    EXPECT_EQ(violations.size(), 1u) << to;
    EXPECT_NE(violations.at(0).place.find("p.toml:"), std::string::npos);
    return violations.at(0).label;
  };
  EXPECT_EQ(
      label(R"(pue = { value = 1.14, unit = "%", kind = "published", date = "2025", source =)"),
      "machine.unit");
  EXPECT_EQ(
      label(R"(pue = { value = 1.14, unit = "ratio", kind = "rumour", date = "2025", source =)"),
      "machine.kind");
  EXPECT_EQ(label(R"(pue = { value = 1.14, unit = "ratio", kind = "published", source =)"),
            "prices.date");
  EXPECT_EQ(
      label(R"(pue = { value = 1.14, unit = "ratio", kind = "published", date = "soon", source =)"),
      "prices.date");
  EXPECT_EQ(
      label(R"(pue = { value = 0.5, unit = "ratio", kind = "published", date = "2025", source =)"),
      "machine.range");
  EXPECT_EQ(
      label(
          R"(pue = { value = "low", unit = "ratio", kind = "published", date = "2025", source =)"),
      "machine.type");
  EXPECT_EQ(
      label(
          R"(pue = { value = 1.14, unit = "ratio", kind = "published", date = "2025", low = 1.2, high = 1.3, source =)"),
      "machine.uncertainty");
}

TEST(BrokenPrices, AnUnknownKeyAndAMissingOneAreBothReported) {
  const auto violations = violations_of("\npue = ", "\npuee = ");
  ASSERT_EQ(violations.size(), 2u);
  EXPECT_EQ(violations[0].label, "prices.unknown_key");
  EXPECT_EQ(violations[1].label, "prices.missing_key");
}

TEST(Prices, AnUnknownPriceListsTheKnownOnes) {
  try {
    static_cast<void>(prices().rental("trn3", "on_demand"));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations()[0].label, "prices.unknown_key");
    EXPECT_NE(error.violations()[0].fix.find("rental.trn3.contract"), std::string::npos);
  }
}

TEST(Prices, EveryGuessHasARangeOrAPublicModelBehindIt) {
  for (const auto& [key, price] : prices().entries) {
    const bool assumed = price.figure.kind == machine::Kind::assumed;
    if (assumed) {
      EXPECT_TRUE(price.figure.range) << key;
    }
  }
}

}  // namespace
}  // namespace trainyard::economics
