// Do the bounds of a service keep their order, and do more users, tighter limits and longer prompts
// need more chips? That a scheduler's answer lies between them is asked in test_recommendations.py.
#include <gtest/gtest.h>

#include "planner/read_model.h"
#include "planner/recommend.h"

namespace trainyard::planner {
namespace {

Recommendation asked(const char* model, const Service& service, const Serving& serving = {},
                     const char* machine = "h100") {
  static const economics::Prices prices = economics::load_prices();
  const Chip chip = chip_of(Sheet(machine::load_accelerator(machine), prices));
  return recommend(load_model(model), chip, serving, service, {});
}

TEST(Recommend, BoundsKeepTheirOrder) {
  for (const char* model : {"llama3-8b", "llama3-70b", "gpt-oss-120b"}) {
    const Recommendation found =
        asked(model, {.rate = 100}, {.input = 1024, .output = 256, .weights = Format::fp8});
    ASSERT_FALSE(found.sizings.empty()) << model;
    double before = 0;
    for (const Sizing& one : found.sizings) {
      EXPECT_LE(one.rate_low, one.rate_high);
      EXPECT_LE(one.chips_low, one.chips);
      EXPECT_LE(found.chips_low, one.chips_low);
      EXPECT_GE(one.chips, before);
      EXPECT_LE(one.load.ttft, 0.5 * (1 + 1e-9));
      EXPECT_LE(one.load.tpot, 0.03 * (1 + 1e-9));
      EXPECT_FALSE(one.why_not_fewer.empty());
      before = one.chips;
    }
  }
}

TEST(Recommend, MoreIsAskedWhereMoreIsNeeded) {
  const Serving serving{.input = 1024, .output = 256, .weights = Format::fp8};
  const auto chips = [&](const Service& service, const Serving& one) {
    return asked("llama3-70b", service, one).sizings.at(0).chips;
  };
  const double base = chips({.rate = 200}, serving);
  EXPECT_GT(chips({.rate = 400}, serving), 1.7 * base);
  EXPECT_GT(chips({.level = {.ttft = 0.12}, .rate = 200}, serving), base);
  EXPECT_GT(chips({.level = {.tpot = 0.01}, .rate = 200}, serving), base);
  Serving longer = serving;
  longer.input = 4096;
  EXPECT_GT(chips({.level = {.ttft = 2}, .rate = 200}, longer),
            chips({.level = {.ttft = 2}, .rate = 200}, serving));
  // Tokens that are drafted and taken shorten the wait for each.
  EXPECT_LE(chips({.level = {.tpot = 0.01}, .rate = 200, .drafts = 1, .acceptance = 0.9}, serving),
            chips({.level = {.tpot = 0.01}, .rate = 200}, serving));
}

TEST(Recommend, SaysWhatComesNearestWhereNothingIsFastEnough) {
  const Recommendation found = asked("llama3-70b", {.level = {.ttft = 0.001}, .rate = 1});
  EXPECT_TRUE(found.sizings.empty());
  EXPECT_NE(found.why.find("ms to the first token"), std::string::npos);
  EXPECT_EQ(asked("moe-1t", {.rate = 1}, {.weights = Format::bf16}, "inf2").sizings.size(), 0u);
}

}  // namespace
}  // namespace trainyard::planner
