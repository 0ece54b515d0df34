// Does each request get its tokens, within the limits, whatever the others do?
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "serving/groups.h"
#include "serving/scheduler.h"

namespace trainyard::serving {
namespace {

// Runs steps of one tick until all is over; each item gives one token.
std::vector<Step> run(Scheduler& scheduler, std::int64_t begin = 0) {
  std::vector<Step> steps;
  for (std::int64_t now = begin; now < begin + 100'000; ++now) {
    const Step& step = scheduler.schedule(now);
    if (step.is_empty()) return steps;
    steps.push_back(step);
    std::vector<Outcome> outcomes;
    for (const auto* items : {&step.prefills, &step.decodes})
      for (const Item& item : *items)
        if (item.samples) outcomes.emplace_back();
    scheduler.complete(now + 1, 1, outcomes);
  }
  ADD_FAILURE() << "requests never end";
  return steps;
}

Settings small() {
  return {.block_tokens = 4,
          .blocks = 64,
          .requests_max = 4,
          .step_tokens_max = 16,
          .chunk_tokens_max = 8,
          .context_max = 200};
}

TEST(Scheduler, APromptIsReadInChunksAndThenOneTokenAStep) {
  Scheduler scheduler(small());
  scheduler.add({.prompt = 20, .output = 3});
  const std::vector<Step> steps = run(scheduler);
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[0].prefills[0].count, 8);
  EXPECT_EQ(steps[2].prefills[0].count, 4);
  EXPECT_TRUE(steps[2].prefills[0].samples);
  EXPECT_FALSE(steps[1].prefills[0].samples);
  EXPECT_EQ(steps[4].decodes[0].start, 21);
  const Record& record = scheduler.records()[0];
  EXPECT_EQ(record.first_token, 3);
  EXPECT_EQ(record.end, 5);
  EXPECT_EQ(record.output, 3);
  EXPECT_DOUBLE_EQ(record.joules, 5);
  EXPECT_EQ(scheduler.used_blocks(), 0);
}

TEST(Scheduler, DecodingComesBeforeThePromptsOfOthers) {
  Scheduler scheduler(small());
  scheduler.add({.prompt = 4, .output = 10});
  scheduler.add({.prompt = 100, .output = 1});
  const std::vector<Step> steps = run(scheduler);
  for (std::size_t i = 1; i < 10; ++i) EXPECT_EQ(steps[i].decodes.size(), 1u) << i;
  EXPECT_EQ(scheduler.records()[0].end, 10);
}

TEST(Scheduler, AKnownBeginningIsNotReadAgain) {
  Scheduler scheduler(small());
  std::vector<std::int32_t> tokens(16);
  std::iota(tokens.begin(), tokens.end(), 0);
  scheduler.add({.prompt = 16, .output = 1, .tokens = tokens});
  run(scheduler);
  tokens[14] = 99;
  scheduler.add({.prompt = 16, .output = 1, .tokens = tokens});
  const std::vector<Step> steps = run(scheduler, 100);
  EXPECT_EQ(steps[0].prefills[0].start, 12);
  EXPECT_EQ(scheduler.records()[1].cached, 12);
  EXPECT_EQ(scheduler.counters().prefix_hits, 12);
  EXPECT_EQ(scheduler.counters().prefix_queries, 32);
}

TEST(Scheduler, ABeginningIsNotSharedWithWhoComputesItInAnotherWay) {
  Scheduler scheduler(small());
  std::vector<std::int32_t> tokens(16);
  std::iota(tokens.begin(), tokens.end(), 0);
  for (const std::uint64_t prefix : {0u, 1u, 2u, 1u, 0u}) {
    scheduler.add({.prompt = 16, .output = 1, .prefix = prefix, .tokens = tokens});
    run(scheduler, 100);
  }
  std::vector<std::int32_t> cached;
  for (const Record& record : scheduler.records()) cached.push_back(record.cached);
  EXPECT_EQ(cached, (std::vector<std::int32_t>{0, 0, 0, 12, 12}));
}

TEST(Scheduler, ALostCacheIsComputedAgainAndNothingIsForgotten) {
  Scheduler scheduler(small());
  for (int i = 0; i < 2; ++i) scheduler.add({.prompt = 8, .output = 6, .shared = 8, .prefix = 5});
  for (std::int64_t now = 0; now < 4; ++now) {
    (void)scheduler.schedule(now);
    scheduler.complete(now + 1, 0, std::vector<Outcome>(2));
  }
  const std::int32_t given = scheduler.records()[0].output;
  EXPECT_GT(given, 0);
  scheduler.lose_cache(4);
  EXPECT_EQ(scheduler.used_blocks(), 0);
  EXPECT_EQ(scheduler.waiting(), 2u);
  EXPECT_EQ(scheduler.unfinished()[0].second.generated, given);
  const Step& step = scheduler.schedule(5);
  EXPECT_EQ(step.prefills[0].request, 0u);
  EXPECT_EQ(step.prefills[0].start, 0);
}

TEST(Scheduler, AStepThatFailsEndsItsOwnRequestsAlone) {
  Settings settings = small();
  settings.requests_max = 2;
  Scheduler scheduler(settings);
  for (int i = 0; i < 3; ++i) scheduler.add({.arrival = i, .prompt = 4, .output = 6});
  const std::size_t in_it = scheduler.schedule(1).prefills.size();
  ASSERT_EQ(in_it, 2u);
  scheduler.abandon(2);
  EXPECT_EQ(scheduler.used_blocks(), 0);
  EXPECT_EQ(scheduler.records()[0].state, State::cancelled);
  EXPECT_EQ(scheduler.records()[1].state, State::cancelled);
  EXPECT_EQ(scheduler.records()[0].end, 2);
  const std::vector<Step> steps = run(scheduler, 3);
  EXPECT_EQ(steps[0].prefills[0].request, 2u);
  EXPECT_EQ(scheduler.records()[2].state, State::finished);
}

TEST(Scheduler, TheWholePromptInTheCacheLeavesATokenToRead) {
  Scheduler scheduler(small());
  for (int i = 0; i < 2; ++i)
    scheduler.add({.arrival = i, .prompt = 8, .output = 1, .shared = 8, .prefix = 5});
  run(scheduler);
  scheduler.add({.prompt = 8, .output = 1, .shared = 8, .prefix = 5});
  const std::vector<Step> steps = run(scheduler, 100);
  EXPECT_EQ(steps[0].prefills[0].start, 4);
  EXPECT_EQ(scheduler.records()[2].cached, 4);
}

TEST(Scheduler, TokensThatWereGeneratedAreFoundByTheNextTurn) {
  Scheduler scheduler(small());
  scheduler.add({.prompt = 4, .output = 5, .tokens = {1, 2, 3, 4}});
  for (std::int64_t now = 0; !scheduler.is_idle(); ++now) {
    (void)scheduler.schedule(now);
    scheduler.complete(now + 1, 0, std::vector<Outcome>{{.ids = {static_cast<int>(now) + 5}}});
  }
  scheduler.add({.prompt = 10, .output = 1, .tokens = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0}});
  EXPECT_EQ(scheduler.schedule(50).prefills[0].start, 8);
}

TEST(Scheduler, OtherRequestsPrefixesAreOtherBlocks) {
  Scheduler scheduler(small());
  scheduler.add({.prompt = 8, .output = 1, .contents = {1, 2}, .content_tokens = 4});
  run(scheduler);
  scheduler.add({.prompt = 9, .output = 1, .contents = {2, 2, 3}, .content_tokens = 4});
  scheduler.add({.prompt = 9, .output = 1, .contents = {1, 2, 3}, .content_tokens = 4});
  run(scheduler, 50);
  EXPECT_EQ(scheduler.records()[1].cached, 0);
  EXPECT_EQ(scheduler.records()[2].cached, 8);
}

class Preempted : public testing::TestWithParam<Preemption> {};

void expect_all_tokens(const Settings& settings) {
  Scheduler scheduler(settings);
  for (int i = 0; i < 4; ++i) scheduler.add({.prompt = 8, .output = 30});
  std::map<std::uint32_t, std::int32_t> computed;
  for (const Step& step : run(scheduler)) {
    std::int32_t tokens = 0;
    for (const Swap& swap : step.swaps_in) {
      EXPECT_FALSE(swap.blocks.empty());
      EXPECT_EQ(std::ranges::count(swap.blocks, Scheduler::no_block), 0);
    }
    for (const auto* items : {&step.prefills, &step.decodes}) {
      for (const Item& item : *items) {
        tokens += item.count;
        if (settings.preemption == Preemption::swap) {
          EXPECT_EQ(item.start, computed[item.request]);
        }
        computed[item.request] = item.start + item.count;
      }
    }
    EXPECT_LE(tokens, settings.step_tokens_max);
  }
  EXPECT_GT(scheduler.counters().preemptions, 0);
  for (const Record& record : scheduler.records()) {
    EXPECT_EQ(record.state, State::finished);
    EXPECT_EQ(record.output, 30);
  }
  EXPECT_EQ(scheduler.records()[0].preemptions, 0);
  EXPECT_EQ(scheduler.used_blocks(), 0);
}

TEST_P(Preempted, TheYoungestGivesWayAndStillGetsAllItsTokens) {
  Settings settings = small();
  settings.blocks = 12;
  settings.preemption = GetParam();
  expect_all_tokens(settings);
  settings.windows = {0, 10};
  settings.blocks = 18;
  expect_all_tokens(settings);
}

INSTANTIATE_TEST_SUITE_P(Both, Preempted, testing::Values(Preemption::recompute, Preemption::swap));

TEST(Scheduler, WhatCanNeverFitIsRejectedAtOnce) {
  Settings settings = small();
  settings.blocks = 4;
  settings.waiting_max = 1;
  Scheduler scheduler(settings);
  scheduler.add({.prompt = 16, .output = 1});
  scheduler.add({.prompt = 16, .output = 2});
  EXPECT_EQ(scheduler.records()[0].state, State::waiting);
  EXPECT_EQ(scheduler.records()[1].state, State::rejected);
  scheduler.add({.prompt = 1, .output = 1});
  EXPECT_EQ(scheduler.records()[2].state, State::rejected) << "one waits already";
  run(scheduler);
  EXPECT_EQ(scheduler.records()[0].state, State::finished);
  EXPECT_EQ(scheduler.counters().rejections, 2);
}

// Layers that see all tokens, and layers that see the last ten: blocks of four.
Settings windowed() {
  Settings settings = small();
  settings.windows = {0, 10};
  return settings;
}

TEST(Scheduler, LayersBehindAWindowGiveBackWhatTheyDoNotSee) {
  Scheduler scheduler(windowed());
  scheduler.add({.prompt = 8, .output = 100});
  for (std::int32_t now = 0; now < 60; ++now) {
    const Step& step = scheduler.schedule(now);
    const std::int32_t start =
        step.prefills.empty() ? step.decodes[0].start : step.prefills[0].start;
    const auto all = scheduler.table(0), seen = scheduler.table(0, 1);
    EXPECT_EQ(std::ranges::count(all, Scheduler::no_block), 0);
    const std::int32_t first = std::max(0, start - 9) / 4;
    EXPECT_EQ(std::ranges::count(seen, Scheduler::no_block), first) << start;
    EXPECT_EQ(all.size(), seen.size());
    for (std::size_t i = static_cast<std::size_t>(first); i < seen.size(); ++i)
      EXPECT_GE(seen[i], 0);
    scheduler.complete(now + 1, 1, std::vector<Outcome>(1));
  }
  EXPECT_EQ(scheduler.used_blocks(), 17 + 3);  // of 67 tokens, and of the last ten
}

TEST(Scheduler, ARequestFitsWhereItsWindowsDo) {
  Settings settings = windowed();
  settings.windows = {10};
  settings.blocks = 6;  // 9 + 8 tokens span six at most
  Scheduler scheduler(settings);
  scheduler.add({.prompt = 100, .output = 100});
  run(scheduler);
  EXPECT_EQ(scheduler.records()[0].output, 100);
  EXPECT_LE(scheduler.counters().peak_blocks, 6);
  EXPECT_EQ(longest_request(settings), 200);
  settings.windows = {0};
  EXPECT_EQ(longest_request(settings), 25);  // the last token is never read
  settings.windows = {0, 0};
  EXPECT_EQ(longest_request(settings), 13);
  settings.windows = {0};
  Scheduler whole(settings);
  whole.add({.prompt = 100, .output = 100});
  EXPECT_EQ(whole.records()[0].state, State::rejected);
}

TEST(Scheduler, ABeginningIsKnownWhereEachGroupHasWhatItSees) {
  Settings settings = windowed();
  settings.blocks = 26;
  Scheduler scheduler(settings);
  std::vector<std::int32_t> tokens(32);
  std::iota(tokens.begin(), tokens.end(), 0);
  scheduler.add({.prompt = 32, .output = 1, .tokens = tokens});
  run(scheduler);
  scheduler.add({.prompt = 32, .output = 1, .tokens = tokens});
  scheduler.schedule(50);
  EXPECT_EQ(scheduler.records()[1].cached, 28);
  EXPECT_EQ(std::ranges::count(scheduler.table(1, 1), Scheduler::no_block), 4);
  scheduler.complete(51, 1, std::vector<Outcome>(1));
  // Of others, so that most is forgotten: what the window sees is gone before the beginning is.
  scheduler.add({.prompt = 40, .output = 1, .tokens = std::vector<std::int32_t>(40, 99)});
  run(scheduler, 60);
  scheduler.add({.prompt = 32, .output = 1, .tokens = tokens});
  run(scheduler, 90);
  EXPECT_EQ(scheduler.records()[3].state, State::finished);
  EXPECT_EQ(scheduler.used_blocks(), 0);
}

TEST(Groups, LayersOfSeveralWindowsShareBlocksOfOneSize) {
  const auto grouped = [](std::vector<CachedLayers> layers) { return group_layers(layers); };
  EXPECT_EQ(grouped({{0, 30}}).windows, (std::vector{0}));
  EXPECT_EQ(grouped({{128, 12}, {0, 12}}).windows, (std::vector{0, 128}));  // GPT-OSS 20B
  const Groups gemma = grouped({{512, 22}, {0, 4}});                        // Gemma 3 1B
  EXPECT_EQ(gemma.windows, (std::vector{0, 512, 512, 512, 512, 512, 512}));
  EXPECT_EQ(gemma.elements, 4);
  EXPECT_EQ(grouped({{7, 1}, {7, 1}}).elements, 2);
  EXPECT_EQ(grouped({}).windows, (std::vector{0}));
  for (int all = 1; all < 40; ++all) {
    for (int few = 1; few < 40; ++few) {
      const Groups found = grouped({{0, 1.0 * all}, {64, 1.0 * few}});
      const double held = found.elements * static_cast<double>(found.windows.size());
      EXPECT_GE(held, all + few);
      EXPECT_LE(held, 1.34 * (all + few)) << all << " " << few;
      EXPECT_LE(found.windows.size(), 16u);
    }
  }
}

TEST(Scheduler, ACancelledRequestGivesItsBlocksBack) {
  Scheduler scheduler(small());
  for (int i = 0; i < 6; ++i) scheduler.add({.prompt = 4, .output = 20});
  const std::size_t many = scheduler.schedule(0).prefills.size();
  scheduler.complete(1, 0, std::vector<Outcome>(many));
  const std::int32_t used = scheduler.used_blocks();
  scheduler.cancel(0, 1);
  scheduler.cancel(5, 1);  // which waits
  scheduler.cancel(0, 1);  // which is over
  EXPECT_EQ(scheduler.used_blocks(), used - 1);
  run(scheduler, 1);
  EXPECT_EQ(scheduler.records()[0].state, State::cancelled);
  EXPECT_EQ(scheduler.records()[5].state, State::cancelled);
  EXPECT_EQ(scheduler.records()[4].state, State::finished);
}

TEST(Scheduler, AStopTokenEndsARequest) {
  Scheduler scheduler(small());
  scheduler.add({.prompt = 4, .output = 20});
  (void)scheduler.schedule(0);
  scheduler.complete(1, 0, std::vector<Outcome>{{.is_stopped = true}});
  EXPECT_TRUE(scheduler.is_idle());
  EXPECT_EQ(scheduler.records()[0].output, 1);
}

TEST(Scheduler, AcceptedDraftsAreTokensOfOneStep) {
  Settings settings = small();
  settings.draft_tokens = 3;
  Scheduler scheduler(settings);
  scheduler.add({.prompt = 4, .output = 6});
  (void)scheduler.schedule(0);
  scheduler.complete(1, 0, std::vector<Outcome>(1));
  EXPECT_EQ(scheduler.schedule(1).decodes[0].count, 4);
  scheduler.complete(2, 0, std::vector<Outcome>{{.tokens = 3}});
  const Item item = scheduler.schedule(2).decodes[0];
  EXPECT_EQ(item.start, 7);
  EXPECT_EQ(item.count, 2) << "no more than it may still give";
  scheduler.complete(3, 0, std::vector<Outcome>{{.tokens = 2}});
  EXPECT_EQ(scheduler.records()[0].output, 6);
  EXPECT_TRUE(scheduler.is_idle());
}

TEST(Scheduler, WatchedRequestsTellWhatHappenedToThem) {
  Scheduler scheduler(small());
  scheduler.add({.prompt = 10, .output = 2}, true);
  scheduler.add({.prompt = 10, .output = 2});
  run(scheduler);
  std::vector<Event::Kind> kinds;
  for (const Event& event : scheduler.events()) {
    EXPECT_EQ(event.request, 0u);
    kinds.push_back(event.kind);
  }
  using enum Event::Kind;
  EXPECT_EQ(kinds, (std::vector{queued, admitted, prefill, prefill, decode, finished}));
}

TEST(Scheduler, EverySettingOutOfRangeIsNamed) {
  try {
    Scheduler scheduler({.block_tokens = 0, .blocks = 0, .windows = {-1}, .requests_max = 0});
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().size(), 4u);
  }
  EXPECT_THROW(Scheduler({.blocks = 9, .requests_max = 100, .step_tokens_max = 99}),
               base::InputError);
}

}  // namespace
}  // namespace trainyard::serving
