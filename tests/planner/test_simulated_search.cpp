// Do simulated phases take the place of rooflines, and do they choose the plan where somebody
// supplies them?
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "planner/layer_pass.h"
#include "planner/read_model.h"
#include "planner/simulated_search.h"

namespace trainyard::planner {
namespace {

const Sheet& trainium() {
  static const Sheet sheet{machine::load_accelerator("trn3-gen2"), economics::load_prices()};
  return sheet;
}

const Model& llama70() {
  static const Model model = load_model("llama3-70b");
  return model;
}

using Time = std::function<Timed(const LayerPass&)>;

// Prefills as the roofline has them, the others as the test says.
class Fake final : public LayerTimer {
 public:
  explicit Fake(Time others) : others_(std::move(others)) {}
  [[nodiscard]] std::int64_t cores() const override { return 8; }
  [[nodiscard]] Timed time(const LayerPass& pass) const override {
    if (pass.phase != "prefill") return others_(pass);
    const Work& work = pass.modelled;
    return {.seconds = LayerSeconds{work.computing() + work.fixed, work.collective}};
  }

 private:
  Time others_;
};

Timed takes(double seconds) { return {.seconds = LayerSeconds{.computing = seconds}}; }

Trial<ServingChoice> trial(const Time& decode, std::int64_t plans = 4, double speed = 30) {
  const auto choices = serving_choices(llama70(), trainium(), {}, {});
  const Fake fake(decode);
  return simulated_serving(llama70(), trainium(), {}, choices, speed, {fake, plans});
}

TEST(Simulated, SecondsTakeThePlaceOfTheRooflineAndTheRestStays) {
  const Chip chip = chip_of(trainium());
  const Plan plan{.tp = 8};
  const Phases modelled = phases(llama70(), plan, chip, {});
  const PhaseTimes times{
      .prefill = {}, .decode = {.seconds = LayerSeconds{0.5, 0.25}}, .microbatch = {}};
  const Phases found = phases(llama70(), plan, chip, {}, times);
  const Work output = output_matrix(llama70(), plan, chip, {});
  EXPECT_EQ(found.prefill.seconds(0), modelled.prefill.seconds(0));
  EXPECT_NEAR(found.decode.computing(), 0.5 + output.computing(), 1e-9);
  EXPECT_EQ(found.decode.collective, 0.25);
  EXPECT_EQ(found.decode.fixed, 0);
  EXPECT_EQ(found.decode.memory_bytes, modelled.decode.memory_bytes);
  const Answer answer = serve(llama70(), plan, trainium(), {}, {}, times);
  EXPECT_GT(answer.at("mean_tpot"), 0.5);
}

TEST(Simulated, AnotherPlanWinsWhereTheSimulatedOneIsFaster) {
  const auto analytic = trial([](const LayerPass&) { return Timed{.why = "no"}; });
  const Plan first = analytic.best().choice.plan;
  EXPECT_EQ(analytic.chosen, 0u);
  EXPECT_EQ(analytic.best().answer.at("mean_ttft"), analytic.best().choice.answer.at("mean_ttft"));
  const auto found =
      trial([&](const LayerPass& pass) { return takes(pass.plan == first ? 0.030 : 0.015); });
  EXPECT_EQ(found.tried.front().choice.plan, first);
  EXPECT_NE(found.best().choice.plan, first);
  EXPECT_TRUE(found.best().is_compared && found.best().is_fast_enough);
  for (const auto& one : found.tried) {
    if (!one.is_fast_enough) continue;
    EXPECT_GE(1.02 * throughput(found.best().answer), throughput(one.answer));
  }
}

TEST(Simulated, AsManyPlansAreTriedAsAreAskedFor) {
  for (const std::int64_t plans : {1, 3}) {
    std::vector<Plan> tried;
    static_cast<void>(trial(
        [&](const LayerPass& pass) {
          if (std::ranges::find(tried, pass.plan) == tried.end()) tried.push_back(pass.plan);
          return takes(0.02);
        },
        plans));
    EXPECT_EQ(std::ranges::ssize(tried), plans);
  }
}

TEST(Simulated, ABatchGrowsWhileUsersGetTheirSpeedAndShrinksUntilTheyDo) {
  const auto batch = [](double per_request) {
    const auto found =
        trial([=](const LayerPass& pass) { return takes(0.012 + per_request * pass.batch); }, 1);
    EXPECT_TRUE(found.best().is_fast_enough);
    return found.best().choice.serving.batch;
  };
  EXPECT_GT(batch(1e-6), batch(3e-4));
  EXPECT_GT(batch(3e-4), batch(3e-3));
}

TEST(Simulated, WhereNoPlanIsFastEnoughTheAnalyticChoiceStays) {
  const auto found = trial([](const LayerPass&) { return takes(1); });
  EXPECT_EQ(found.chosen, 0u);
  EXPECT_FALSE(found.best().is_fast_enough);
}

TEST(Simulated, APlanWithoutAPhaseOfTheAnalyticOneIsNotCompared) {
  Plan first;
  const auto found = trial([&](const LayerPass& pass) {
    if (first == Plan{}) first = pass.plan;
    return pass.plan == first ? takes(0.03) : Timed{.why = "too many requests"};
  });
  ASSERT_GT(found.tried.size(), 1u);
  EXPECT_EQ(found.best().choice.plan, first);
  for (const auto& one : found.tried) EXPECT_EQ(one.is_compared, one.choice.plan == first);
}

TEST(Simulated, LayersFasterThanThePeaksAreLeftAnalytic) {
  const auto found = trial([](const LayerPass&) { return takes(1e-5); });
  EXPECT_FALSE(found.best().times.decode.seconds);
  EXPECT_NE(found.best().times.decode.why.find("less than the peaks allow"), std::string::npos);
  EXPECT_EQ(found.best().answer.at("mean_tpot"), found.best().choice.answer.at("mean_tpot"));
}

TEST(Simulated, TrainingIsChosenByItsMicrobatches) {
  const auto choices =
      training_choices(llama70(), trainium(), {.global_batch = 1024}, {}, {.chips = 64}, 1e12);
  const Plan first = choices.front().plan;
  const auto trial_of = [&](double seconds_of_first, double seconds) {
    const Fake fake([=](const LayerPass& pass) {
      return takes(pass.plan == first ? seconds_of_first : seconds);
    });
    return simulated_training(llama70(), trainium(), {}, choices, 1e12, {fake, 6});
  };
  EXPECT_EQ(trial_of(10, 1000).best().choice.plan, first);
  const auto found = trial_of(1000, 10);
  EXPECT_EQ(found.tried.size(), 6u);
  EXPECT_EQ(found.tried.front().choice.plan, first);
  EXPECT_NE(found.best().choice.plan, first);
  for (const auto& one : found.tried)
    EXPECT_LE(found.best().answer.at("days"), one.answer.at("days"));
}

}  // namespace
}  // namespace trainyard::planner
