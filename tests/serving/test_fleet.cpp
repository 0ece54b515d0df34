// Do replicas behind a router serve as one does alone, share a load, and survive what is lost?
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/units.h"
#include "serving/arrivals.h"
#include "serving/fleet.h"

namespace trainyard::serving {
namespace {

constexpr std::int64_t second_ticks = 1'000'000'000 * base::ticks_per_nanosecond;

StepCosts fleet_costs() {
  return {.prefill = CostTable({1, 4096}, {0, 8192}, {0.001, 0.05, 0.002, 0.08}, {1, 2, 3, 4}),
          .decode = CostTable({1, 1024}, {0, 16384}, {0.005, 0.006, 0.02, 0.06}, {1, 2, 3, 4})};
}

Load fleet_load(double rate, std::int64_t requests = 1200) {
  return {.requests = requests,
          .rate = rate,
          .prompt = 200,
          .output = 60,
          .range = 0.9,
          .shared = 64,
          .prefixes = 5,
          .seed = 3};
}

std::int64_t tokens_of(const std::vector<Record>& records) {
  return std::accumulate(records.begin(), records.end(), std::int64_t{0},
                         [](std::int64_t sum, const Record& one) { return sum + one.output; });
}

std::int64_t asked_tokens(const Load& load) {
  std::int64_t sum = 0;
  for (const Request& one : draw_requests(load)) sum += one.output;
  return sum;
}

void expect_finished(const Fleet& run) {
  for (const Record& one : run.records) {
    ASSERT_EQ(one.state, State::finished);
    ASSERT_GE(one.first_scheduled, one.arrival);
    ASSERT_GT(one.first_token, one.first_scheduled);
    ASSERT_GE(one.end, one.first_token);
    ASSERT_GT(one.joules, 0);
  }
}

class One : public testing::TestWithParam<std::tuple<double, std::int32_t, double>> {};

TEST_P(One, AFleetOfOneServesAsTheSimulationDoes) {
  const auto [rate, blocks, acceptance] = GetParam();
  const Load load = fleet_load(rate);
  const Settings settings{.blocks = blocks, .draft_tokens = acceptance > 0 ? 2 : 0};
  const Simulation simulation{.acceptance = acceptance, .seed = 5};
  const Simulated one = simulate(draw_requests(load), settings, fleet_costs(), simulation);
  const Fleet fleet = serve_fleet(draw_requests(load), settings, fleet_costs(), simulation, {});
  ASSERT_EQ(fleet.records.size(), one.records.size());
  for (std::size_t i = 0; i < one.records.size(); ++i) {
    const Record &a = fleet.records[i], &b = one.records[i];
    EXPECT_EQ(a.first_scheduled, b.first_scheduled);
    EXPECT_EQ(a.first_token, b.first_token);
    EXPECT_EQ(a.end, b.end);
    EXPECT_EQ(a.output, b.output);
    EXPECT_EQ(a.decodes, b.decodes);
    EXPECT_EQ(a.cached, b.cached);
    EXPECT_EQ(a.preemptions, b.preemptions);
    EXPECT_NEAR(a.joules, b.joules, 1e-9 * b.joules);
  }
  EXPECT_EQ(fleet.counters.generated_tokens, one.counters.generated_tokens);
  EXPECT_EQ(fleet.tokens_per_second_max, one.tokens_per_second_max);
  EXPECT_EQ(fleet.gaps.count(), one.gaps.count());
  EXPECT_EQ(fleet.gaps.quantile(0.99), one.gaps.quantile(0.99));
  EXPECT_EQ(fleet.busy[0], one.busy);
  EXPECT_EQ(fleet.end, one.end);
}

INSTANTIATE_TEST_SUITE_P(Loads, One,
                         testing::Values(std::tuple(10.0, 20000, 0.0),
                                         std::tuple(120.0, 20000, 0.0), std::tuple(400.0, 700, 0.0),
                                         std::tuple(60.0, 20000, 0.6)));

TEST(Fleet, EveryRoutingServesAllAndSharesTheLoad) {
  const Load load = fleet_load(300);
  for (const Routing routing :
       {Routing::random, Routing::round_robin, Routing::least_requests, Routing::prefix}) {
    const Fleet run = serve_fleet(draw_requests(load), {.blocks = 20000}, fleet_costs(), {},
                                  {.replicas = 4, .routing = routing, .seed = 1});
    expect_finished(run);
    EXPECT_EQ(tokens_of(run.records), asked_tokens(load));
    for (const std::int64_t busy : run.busy) EXPECT_GT(busy, run.end / 4);
    EXPECT_EQ(run.paid, 4 * (run.end - run.records[0].arrival));
  }
}

TEST(Fleet, TheFewestRequestsWaitLessThanChance) {
  const auto wait = [](Routing routing) {
    const Fleet run =
        serve_fleet(draw_requests(fleet_load(150, 3000)), {.blocks = 20000, .requests_max = 16},
                    fleet_costs(), {}, {.replicas = 4, .routing = routing, .seed = 1});
    std::vector<double> waits;  // of which the 99th percentile
    for (const Record& one : run.records)
      waits.push_back(static_cast<double>(one.first_scheduled - one.arrival));
    std::ranges::sort(waits);
    return waits[waits.size() * 99 / 100];
  };
  EXPECT_LT(wait(Routing::least_requests), 0.5 * wait(Routing::random));
}

TEST(Fleet, ABeginningIsFoundWhereItWasBefore) {
  Load load = fleet_load(40, 600);
  load.prefixes = 40;
  load.shared = 160;
  const auto hits = [&](Routing routing) {
    return serve_fleet(draw_requests(load), {.blocks = 300}, fleet_costs(), {},
                       {.replicas = 8, .routing = routing, .seed = 1})
        .counters.prefix_hits;
  };
  EXPECT_GT(hits(Routing::prefix), 1.2 * static_cast<double>(hits(Routing::random)));
}

TEST(Fleet, RequestsOfALostReplicaMoveAndAllAreAnswered) {
  const Load load = fleet_load(150);
  const std::int64_t middle = 4 * second_ticks;
  const Fleet whole =
      serve_fleet(draw_requests(load), {.blocks = 20000}, fleet_costs(), {}, {.replicas = 3});
  const Fleet run = serve_fleet(draw_requests(load), {.blocks = 20000}, fleet_costs(), {},
                                {.replicas = 3, .outages = {{.replica = 1, .from = middle}}});
  expect_finished(run);
  EXPECT_GT(run.moved, 0);
  EXPECT_EQ(tokens_of(run.records), asked_tokens(load));
  EXPECT_LE(run.busy[1], middle);
  EXPECT_GT(run.end, whole.end);
  for (std::size_t i = 0; i < run.records.size(); ++i)
    if (whole.records[i].end < middle) {
      EXPECT_EQ(run.records[i].end, whole.records[i].end);
    }
}

TEST(Fleet, NobodyIsLeftWaitingForAReplicaThatNeverComes) {
  const Load load = fleet_load(50, 400);
  const std::int64_t middle = 2 * second_ticks;
  const Fleet run = serve_fleet(draw_requests(load), {.blocks = 20000}, fleet_costs(), {},
                                {.outages = {{.replica = 0, .from = middle}}});
  std::int64_t cancelled = 0;
  for (const Record& one : run.records) {
    EXPECT_TRUE(one.state == State::finished || one.state == State::cancelled);
    EXPECT_GE(one.end, one.arrival);
    cancelled += one.state == State::cancelled;
  }
  EXPECT_GT(cancelled, 200);
  EXPECT_LT(cancelled, 400);
}

TEST(Fleet, AReplicaThatComesBackServesWhoWaited) {
  const Load load = fleet_load(50, 400);
  const Outage outage{.replica = 0, .from = 2 * second_ticks, .until = 5 * second_ticks};
  const Fleet run =
      serve_fleet(draw_requests(load), {.blocks = 20000}, fleet_costs(), {}, {.outages = {outage}});
  expect_finished(run);
  EXPECT_EQ(tokens_of(run.records), asked_tokens(load));
  for (const Record& one : run.records)
    EXPECT_FALSE(one.end > outage.from && one.end < outage.until);
}

TEST(Fleet, PromptsThatOthersReadReachTheirAnswersAfterTheTransfer) {
  std::vector<Request> requests(1);
  requests[0] = {.arrival = 7, .prompt = 100, .output = 4};
  const StepCosts flat{.prefill = CostTable({1, 512}, {0}, {0.25, 0.25}, {8, 8}),
                       .decode = CostTable({1}, {1, 200}, {0.5, 0.5}, {2, 2})};
  const Fleet run = serve_fleet(requests, {.blocks = 100}, flat, {},
                                {.readers = 1,
                                 .sent = {.seconds = 0.125, .joules = 1},
                                 .sent_token = {.seconds = 0.01, .joules = 0.1}});
  const Record& one = run.records[0];
  EXPECT_EQ(one.first_token - one.arrival, second_ticks / 4);
  EXPECT_EQ(one.end - one.first_token,
            static_cast<std::int64_t>((0.125 + 100 * 0.01 + 3 * 0.5) * second_ticks));
  EXPECT_EQ(run.sent_ticks, static_cast<std::int64_t>(1.125 * second_ticks));
  EXPECT_NEAR(one.joules, 8 + 1 + 100 * 0.1 + 3 * 2, 1e-9);
  EXPECT_EQ(one.output, 4);
  EXPECT_EQ(run.gaps.count(), 3);
  EXPECT_EQ(one.chunks, 1);
}

TEST(Fleet, ReadersThatAreLostReadAgain) {
  const Load load = fleet_load(80, 600);
  const FleetSettings fleet{
      .replicas = 2,
      .readers = 2,
      .sent_token = {.seconds = 1e-4},
      .outages = {{.replica = 2, .from = second_ticks, .until = 3 * second_ticks},
                  {.replica = 0, .from = 2 * second_ticks, .until = 4 * second_ticks}}};
  const Fleet run = serve_fleet(draw_requests(load), {.blocks = 20000}, fleet_costs(), {}, fleet);
  expect_finished(run);
  EXPECT_GT(run.moved, 0);
  EXPECT_EQ(tokens_of(run.records), asked_tokens(load));
}

TEST(Fleet, ReplicasFollowTheLoadAfterTheirColdStart) {
  std::vector<Request> requests;
  for (std::int64_t i = 0; i < 900; ++i)  // 5 a second, then 60 a second, then 5 again
    requests.push_back({.arrival = (i < 100   ? i * second_ticks / 5
                                    : i < 800 ? 20 * second_ticks + (i - 100) * second_ticks / 60
                                              : 32 * second_ticks + (i - 800) * second_ticks / 5),
                        .prompt = 200,
                        .output = 100});
  const Scaling scaling{.period = second_ticks,
                        .cold_start = 3 * second_ticks,
                        .patience = 5 * second_ticks,
                        .target = 12,
                        .least = 1,
                        .most = 6};
  const Fleet run =
      serve_fleet(requests, {.blocks = 20000}, fleet_costs(), {}, {.scaling = scaling});
  expect_finished(run);
  std::int32_t most = 0;
  std::int64_t begun = -1, grown = -1;
  for (const FleetSize& size : run.sizes) {
    most = std::max(most, size.serving);
    if (size.starting > 0 && begun < 0) begun = size.time;
    if (size.serving > 1 && grown < 0) grown = size.time;
    EXPECT_LE(size.serving + size.starting, 6);
  }
  EXPECT_GT(most, 2);
  EXPECT_GE(begun, 20 * second_ticks);
  EXPECT_EQ(grown, begun + scaling.cold_start);
  EXPECT_EQ(run.sizes.back().serving, 1);
  EXPECT_LT(run.paid, most * run.end * 7 / 10);
  EXPECT_GT(run.paid, run.end);
}

TEST(Fleet, WhatCannotBeIsRefused) {
  const auto refused = [](const FleetSettings& fleet, const Simulation& simulation = {}) {
    EXPECT_THROW((void)serve_fleet({}, {.blocks = 10}, fleet_costs(), simulation, fleet),
                 base::InputError);
  };
  refused({.replicas = 0});
  refused({.readers = -1});
  refused({}, {.users = 3});
  refused({.sent = {.seconds = -1}});
  refused({.outages = {{.replica = 1}}});
  refused({.outages = {{.replica = 0, .from = 5, .until = 5}}});
  refused({.scaling = {.period = 1, .target = 0}});
  refused({.scaling = {.period = 1, .target = 1, .least = 2, .most = 3}});
  refused({.readers = 1, .scaling = {.period = 1, .target = 1}});
}

}  // namespace
}  // namespace trainyard::serving
