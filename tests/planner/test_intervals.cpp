// Are P10 and P90 what the rule of the draws says, the same each time, and inside the corners?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "planner/intervals.h"
#include "planner/read_model.h"
#include "planner/search.h"

namespace trainyard::planner {
namespace {

Sheet sheet(const char* machine) {
  return {machine::load_accelerator(machine), economics::load_prices()};
}

Answer figure(const Sheet& sheet, const char* key) {
  return {.values = {{"mfu", sheet.at(key)}}, .unknown = {}};
}

TEST(Draws, OfOneFigureAreItsRangesPercentiles) {
  const Sheet of_machine = sheet("h100");
  const machine::Interval range = of_machine.inputs().at("reach.training").amount;
  const Bracketed found = bracket({of_machine}, [](const std::vector<Sheet>& sheets) {
    return figure(sheets[0], "reach.training");
  });
  const Bracket& one = found.values.at("mfu");
  EXPECT_NEAR(one.p10, range.low * std::pow(range.value / range.low, 0.2), 1e-3);
  EXPECT_NEAR(one.p90, range.value * std::pow(range.high / range.value, 0.8), 1e-3);
  EXPECT_EQ(one.low, range.low);
  EXPECT_EQ(one.high, range.high);
}

TEST(Draws, ShareFiguresOfFinanceAndNoOthers) {
  const std::vector<Sheet> both{sheet("h100"), sheet("b200")};
  const auto ratio = [&](const char* key) {
    double low = 1e9;
    double high = 0;
    for (const Answer& one : draws(both, [&](const std::vector<Sheet>& sheets) {
           return Answer{.values = {{"mfu", sheets[0].at(key) / sheets[1].at(key)}}, .unknown = {}};
         })) {
      low = std::min(low, one.at("mfu"));
      high = std::max(high, one.at("mfu"));
    }
    return std::pair(low, high);
  };
  EXPECT_EQ(ratio("finance.life"), std::pair(1.0, 1.0));
  EXPECT_LT(ratio("reach.memory").first, 0.9);
  EXPECT_GT(ratio("reach.memory").second, 1.1);
}

TEST(Draws, AreTheSameEachTimeAndIndependentOfEachOther) {
  const std::vector<Sheet> one{sheet("h100")};
  const auto drawn = [&](const char* key) {
    std::vector<double> values;
    for (const Answer& answer :
         draws(one, [&](const std::vector<Sheet>& sheets) { return figure(sheets[0], key); }))
      values.push_back(std::log(answer.at("mfu")));
    return values;
  };
  const std::vector<double> a = drawn("reach.training");
  const std::vector<double> b = drawn("reach.memory");
  EXPECT_EQ(a, drawn("reach.training"));
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean(a)) * (b[i] - mean(b));
    aa += (a[i] - mean(a)) * (a[i] - mean(a));
    bb += (b[i] - mean(b)) * (b[i] - mean(b));
  }
  EXPECT_LT(std::abs(ab / std::sqrt(aa * bb)), 0.2);
}

// A service is asked for at a speed: where chips turn out slower, fewer requests share them.
TEST(AtSpeed, TheBatchFollowsTheFigures) {
  const Sheet of_machine = sheet("b200");
  const Model model = load_model("llama3-70b");
  const Serving serving{.weights = Format::fp8, .cache = Format::fp8};
  const double speed = 60;
  const auto choice = best_serving(serving_choices(model, of_machine, serving, {}), speed);
  ASSERT_TRUE(choice);
  const auto with = [&](double bandwidth) {
    return serve_at_speed(
        model, *choice,
        of_machine.with("memory.bandwidth", bandwidth * of_machine.at("memory.bandwidth")), {},
        speed);
  };
  EXPECT_EQ(with(1).values, choice->answer.values);
  for (const double share : {0.6, 0.8, 1.3, 2.0}) {
    EXPECT_GE(with(share).at("mean_intvty"), speed) << share;
    EXPECT_EQ(throughput(with(share)) > throughput(with(1)), share > 1) << share;
  }
  // No batch is fast enough: the service stays as it is, and is slow.
  const Answer slow = with(0.05);
  EXPECT_LT(slow.at("mean_intvty"), speed);
  const Sheet moved = of_machine.with("memory.bandwidth", 0.05 * of_machine.at("memory.bandwidth"));
  EXPECT_EQ(slow.values, serve(model, choice->plan, moved, choice->serving, {}).values);
}

}  // namespace
}  // namespace trainyard::planner
