// Does the planned engine serve as steps one by one would, and as queueing theory says?
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/units.h"
#include "serving/arrivals.h"
#include "serving/simulate.h"

namespace trainyard::serving {
namespace {

constexpr double ticks_per_second = 1e9 * base::ticks_per_nanosecond;

StepCosts costs() {
  return {.prefill = CostTable({1, 4096}, {0, 8192}, {0.001, 0.05, 0.002, 0.08}, {1, 2, 3, 4}),
          .decode = CostTable({1, 1024}, {0, 16384}, {0.005, 0.006, 0.02, 0.06}, {1, 2, 3, 4}),
          .swapped_block = {.seconds = 1e-5, .joules = 0.1}};
}

void expect_equal(const Simulated& a, const Simulated& b) {
  ASSERT_EQ(a.records.size(), b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    const Record &x = a.records[i], &y = b.records[i];
    EXPECT_EQ(x.first_scheduled, y.first_scheduled);
    EXPECT_EQ(x.first_token, y.first_token);
    EXPECT_EQ(x.end, y.end);
    EXPECT_EQ(x.decode_ticks, y.decode_ticks);
    EXPECT_EQ(x.decodes, y.decodes);
    EXPECT_EQ(x.preemptions, y.preemptions);
    EXPECT_NEAR(x.joules, y.joules, 1e-9 * x.joules);
  }
  EXPECT_EQ(a.counters.steps, b.counters.steps);
  EXPECT_EQ(a.counters.generated_tokens, b.counters.generated_tokens);
  EXPECT_EQ(a.tokens_per_second_max, b.tokens_per_second_max);
  EXPECT_EQ(a.gaps.count(), b.gaps.count());
  EXPECT_EQ(a.gaps.quantile(0.5), b.gaps.quantile(0.5));
  EXPECT_EQ(a.gaps.quantile(0.99), b.gaps.quantile(0.99));
  EXPECT_NEAR(a.gaps.mean(), b.gaps.mean(), 1e-6 * a.gaps.mean());
}

struct Case {
  double rate;
  std::int32_t blocks;
  Preemption preemption = Preemption::recompute;
  std::int64_t users = 0;
  std::int32_t requests_max = 256;
  std::vector<std::int32_t> windows = {0};
};

class Together : public testing::TestWithParam<Case> {};

TEST_P(Together, StepsAdvancedTogetherEndAsOneByOne) {
  const Case& c = GetParam();
  const Load load{.requests = 1500,
                  .rate = c.rate,
                  .prompt = 200,
                  .output = 100,
                  .range = 0.9,
                  .shared = 64,
                  .prefixes = 5,
                  .seed = 11};
  const Settings settings{.blocks = c.blocks,
                          .windows = c.windows,
                          .requests_max = c.requests_max,
                          .preemption = c.preemption};
  Simulation simulation{.users = c.users};
  const Simulated together = simulate(draw_requests(load), settings, costs(), simulation);
  simulation.one_by_one = true;
  expect_equal(together, simulate(draw_requests(load), settings, costs(), simulation));
  EXPECT_EQ(together.counters.preemptions > 0, c.blocks == 700);
  for (const Record& record : together.records) EXPECT_EQ(record.state, State::finished);
}

INSTANTIATE_TEST_SUITE_P(Loads, Together,
                         testing::Values(Case{5, 20000}, Case{80, 20000}, Case{400, 700},
                                         Case{400, 700, Preemption::swap},
                                         Case{400, 20000, Preemption::recompute, 0, 8},
                                         Case{1, 20000, Preemption::recompute, 32},
                                         Case{80, 20000, Preemption::recompute, 0, 256, {0, 90}},
                                         Case{400, 700, Preemption::swap, 0, 256, {0, 90, 90}},
                                         Case{400, 700, Preemption::recompute, 0, 256, {128}}));

TEST(Simulate, TokensComeWhenTheTableSays) {
  const StepCosts flat{.prefill = CostTable({1}, {0}, {0.25}, {8}),
                       .decode = CostTable({1}, {1, 100}, {0.5, 0.5}, {2, 2})};
  std::vector<Request> requests(1);
  requests[0] = {.arrival = 7, .prompt = 1, .output = 4};
  const Simulated run = simulate(std::move(requests), {.blocks = 10}, flat, {});
  const Record& record = run.records[0];
  EXPECT_EQ(record.first_token - record.arrival, static_cast<std::int64_t>(ticks_per_second / 4));
  EXPECT_EQ(record.end - record.first_token, static_cast<std::int64_t>(1.5 * ticks_per_second));
  EXPECT_DOUBLE_EQ(record.joules, 8 + 3 * 2);
  EXPECT_EQ(run.gaps.count(), 3);
}

// One request at a time of constant length: an M/D/1 queue, whose mean wait is known.
TEST(Simulate, OneAtATimeWaitsAsQueueingTheorySays) {
  const StepCosts flat{.prefill = CostTable({1}, {0}, {0.01}, {0}),
                       .decode = CostTable({1}, {0, 10}, {0.01, 0.01}, {0, 0})};
  const double load = 0.7, service = 0.01;
  const Simulated run = simulate(
      draw_requests(
          {.requests = 200'000, .rate = load / service, .prompt = 1, .output = 1, .seed = 4}),
      {.blocks = 10, .requests_max = 1}, flat, {});
  double waited = 0;
  for (const Record& r : run.records)
    waited += static_cast<double>(r.first_scheduled - r.arrival) / ticks_per_second;
  const double expected = load * service / (2 * (1 - load));
  EXPECT_NEAR(waited / 200'000, expected, 0.03 * expected);
}

TEST(Simulate, AcceptedDraftsSaveSteps) {
  const Load load{.requests = 200, .rate = 0, .prompt = 16, .output = 100};
  const Settings settings{.blocks = 20000, .draft_tokens = 3};
  const Simulated none = simulate(draw_requests(load), settings, costs(), {.acceptance = 0});
  const Simulated half = simulate(draw_requests(load), settings, costs(), {.acceptance = 0.5});
  const Simulated all = simulate(draw_requests(load), settings, costs(), {.acceptance = 1});
  const auto decodes = [](const Simulated& run) {
    return std::accumulate(run.records.begin(), run.records.end(), 0.0,
                           [](double sum, const Record& r) { return sum + r.decodes; }) /
           200;
  };
  EXPECT_EQ(decodes(none), 99);
  EXPECT_EQ(decodes(all), 25);
  // 1 + 1/2 + 1/4 + 1/8 tokens a step.
  EXPECT_NEAR(decodes(half), 99 / 1.875, 1);
}

TEST(Simulate, AStepBeyondTheTableIsAnError) {
  std::vector<Request> requests(1);
  requests[0] = {.prompt = 9000, .output = 1};
  EXPECT_THROW((void)simulate(std::move(requests), {.blocks = 1000}, costs(), {}),
               base::InputError);
}

TEST(Costs, AStepTakesWhatItsMeanOrItsLongestContextTakes) {
  StepCosts by{.prefill = CostTable({1}, {0}, {0}, {0}),
               .decode = CostTable({1, 4}, {0, 100}, {0, 100, 0, 100}, {0, 0, 0, 0})};
  const Step step{.decodes = {{.start = 10}, {.start = 50}}};
  EXPECT_DOUBLE_EQ(cost_of(step, by).seconds, 30);
  by.by_longest = true;
  EXPECT_DOUBLE_EQ(cost_of(step, by).seconds, 50);
  EXPECT_DOUBLE_EQ(decode_cost(2, total_context(step, by), by).seconds, 50);
}

// Two pieces of prompts and a decoding step, with blocks on their way: what is not computing.
TEST(Costs, AStepsPartsAreThoseOfItsPassesLaunchesAndSwaps) {
  StepCosts by{.prefill = CostTable({1, 3}, {0}, {10, 10}, {0, 0}, {{1, 2}, {3, 4}}),
               .decode = CostTable({1}, {0}, {10}, {0}, {{5, 6}}),
               .launch = {.seconds = 0.25},
               .scheduling = {.seconds = 0.5},
               .swapped_block = {.seconds = 0.125}};
  Step step{.prefills = {{.count = 1}, {.count = 2}}, .decodes = {{}}};
  step.swaps_in.push_back({.blocks = {1, 2}});
  step.swaps_out.push_back({.blocks = {3}});
  const StepParts parts = parts_of(step, by);
  const auto ticks = [](double seconds) {
    return static_cast<std::int64_t>(seconds * ticks_per_second);
  };
  EXPECT_EQ(parts.collectives, ticks(1 + 2 + 5));
  EXPECT_EQ(parts.launches, ticks(2 + 3 + 6 + 3 * 0.25 + 0.5));
  EXPECT_EQ(parts.swaps, ticks(3 * 0.125));
  EXPECT_THROW(CostTable({1, 3}, {0}, {1, 1}, {0, 0}, {{1, 2}}), base::InputError);
  EXPECT_THROW(CostTable({1}, {0}, {1}, {0}, {{-1, 2}}), base::InputError);
}

TEST(Simulate, StepsOfAWatchedRequestSayTheirParts) {
  const StepCosts flat{
      .prefill = CostTable({1}, {0}, {0.25}, {8}, {{0.125, 0.0625}}),
      .decode = CostTable({1}, {1, 100}, {0.5, 0.5}, {2, 2}, {{0.25, 0}, {0.25, 0}})};
  const auto run = [&](std::int64_t watched) {
    std::vector<Request> requests(1);
    requests[0] = {.prompt = 1, .output = 4};
    return simulate(std::move(requests), {.blocks = 10}, flat, {.watched = watched});
  };
  StepParts sum;
  for (const Event& event : run(0).events) {
    sum.collectives += event.parts.collectives;
    sum.launches += event.parts.launches;
  }
  EXPECT_EQ(sum.collectives, static_cast<std::int64_t>((0.125 + 3 * 0.25) * ticks_per_second));
  EXPECT_EQ(sum.launches, static_cast<std::int64_t>(0.0625 * ticks_per_second));
  EXPECT_TRUE(run(-1).events.empty());
}

TEST(Costs, ATableIsLinearBetweenItsPoints) {
  const CostTable table({1, 3}, {0, 10}, {1, 2, 3, 8}, {0, 0, 0, 4});
  EXPECT_DOUBLE_EQ(table.at(1, 0).seconds, 1);
  EXPECT_DOUBLE_EQ(table.at(3, 10).seconds, 8);
  EXPECT_DOUBLE_EQ(table.at(2, 5).seconds, (1 + 2 + 3 + 8) / 4.0);
  EXPECT_DOUBLE_EQ(table.at(3, 5).joules, 2);
  EXPECT_THROW((void)table.at(3.1, 0), base::InputError);
  EXPECT_THROW(CostTable({1, 1}, {0}, {1, 2}, {0, 0}), base::InputError);
  EXPECT_THROW(CostTable({1}, {0}, {-1}, {0}), base::InputError);
  EXPECT_THROW(CostTable({1}, {0}, {1, 2}, {0}), base::InputError);
}

TEST(Arrivals, LogarithmsAndPowersAreThoseOfTheHostsLibrary) {
  for (const double x : {1e-300, 1e-9, 0.3, 0.70710678, 1.0, 1.5, 2.0, 12345.678, 1e300})
    EXPECT_NEAR(natural_log(x), std::log(x), 4e-16 * (1 + std::abs(std::log(x)))) << x;
  for (const double x : {-600.0, -20.5, -0.1, 0.0, 0.4, 1.0, 33.3, 600.0})
    EXPECT_NEAR(exponential(x) / std::exp(x), 1, 1e-13) << x;
}

TEST(Arrivals, GapsHaveTheirMeanAndTheirVariation) {
  for (const double shape : {0.25, 1.0, 4.0}) {
    const auto requests = draw_requests({.requests = 100'000, .rate = 20, .burstiness = shape});
    double sum = 0, squares = 0;
    for (std::size_t i = 1; i < requests.size(); ++i) {
      const double gap =
          static_cast<double>(requests[i].arrival - requests[i - 1].arrival) / ticks_per_second;
      sum += gap;
      squares += gap * gap;
    }
    const double mean = sum / 99'999, variance = squares / 99'999 - mean * mean;
    EXPECT_NEAR(mean, 0.05, 0.05 * 0.025) << shape;
    EXPECT_NEAR(variance / (mean * mean), 1 / shape, 0.06 / shape) << shape;
  }
}

TEST(Durations, QuantilesAreWithinA256th) {
  Durations durations;
  for (std::int64_t i = 1; i <= 100'000; ++i) durations.add(i * 1000);
  for (const double share : {0.01, 0.5, 0.99})
    EXPECT_NEAR(durations.quantile(share), share * 1e8, share * 1e8 / 256);
  EXPECT_DOUBLE_EQ(durations.mean(), 50'000.5 * 1000);
}

}  // namespace
}  // namespace trainyard::serving
