// Does one timeline hold bodies and exchanges: in order, beside each other, sharing what they use?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "plan/timeline.h"

namespace trainyard::plan {
namespace {

using ::testing::ElementsAre;

constexpr std::uint32_t links = 0, memory = 1;

Task body(std::int64_t time, std::vector<TaskId> after = {}) {
  return {.kind = Task::Kind::body, .work = {{time}}, .after = std::move(after)};
}
Task meeting(std::int64_t time, std::vector<TaskId> after = {}, double share = 1,
             std::int64_t bytes = 0) {
  return {.kind = Task::Kind::meeting,
          .work = {{time}, {{links, share}}},
          .after = std::move(after),
          .bytes = bytes};
}

std::vector<std::int64_t> ends(Timeline& timeline) {
  timeline.run();
  std::vector<std::int64_t> all;
  for (const Task& task : timeline.tasks()) all.push_back(task.end.value);
  return all;
}

TEST(PlanTimeline, BodiesFollowOneAnother) {
  Timeline timeline;
  timeline.add(body(10));
  timeline.add(body(20));
  EXPECT_THAT(ends(timeline), ElementsAre(10, 30));
  EXPECT_EQ(timeline.exposed().value, 0);
}

TEST(PlanTimeline, AnExchangePassesBesideBodiesThatDoNotReadIt) {
  Timeline timeline;
  const TaskId first = timeline.add(body(10));
  const TaskId sum = timeline.add(meeting(50, {first}));
  timeline.add(body(20));
  timeline.add(body(5, {sum}));
  EXPECT_THAT(ends(timeline), ElementsAre(10, 60, 30, 65));
  EXPECT_EQ(timeline.exposed().value, 30);
  EXPECT_THAT(timeline.waited_for(),
              ElementsAre(base::Ticks{0}, base::Ticks{30}, base::Ticks{0}, base::Ticks{0}));
  EXPECT_THAT(timeline.critical_path(), ElementsAre(0, 1, 3));
}

TEST(PlanTimeline, WhatATaskTakesMayDependOnWhenItBegins) {
  Timeline timeline;
  const TaskId first = timeline.add(body(10));
  Task slower = meeting(50, {first});
  slower.work_at = [](base::Ticks begin) {
    return Work{{begin.value >= 10 ? 80 : 50}, {{links, 1}}};
  };
  const TaskId sum = timeline.add(std::move(slower));
  timeline.add(body(5, {sum}));
  EXPECT_THAT(ends(timeline), ElementsAre(10, 90, 95));
  EXPECT_EQ(timeline.exchanging().value, 80);
}

TEST(PlanTimeline, DevicesMayBeginLate) {
  Timeline timeline(std::numeric_limits<std::int64_t>::max(), {100});
  timeline.add(body(10));
  EXPECT_THAT(ends(timeline), ElementsAre(110));
  EXPECT_EQ(timeline.exposed().value, 100);
}

TEST(PlanTimeline, ExchangesOnTheSameLinksShareThem) {
  Timeline same;
  same.add(meeting(40));
  same.add(meeting(40));
  EXPECT_THAT(ends(same), ElementsAre(40, 80));
  Timeline half;  // each takes half of what the links carry
  half.add(meeting(40, {}, 0.5));
  half.add(meeting(40, {}, 0.5));
  EXPECT_THAT(ends(half), ElementsAre(40, 40));
  Timeline more;  // the second gets a quarter of them, a third of its rate, then all it can take
  more.add(meeting(30, {}, 0.75));
  more.add(meeting(40, {}, 0.75));
  EXPECT_THAT(ends(more), ElementsAre(30, 60));
}

TEST(PlanTimeline, TheEarlierOneInTheProgramGoesFirst) {
  Timeline timeline;
  const TaskId first = timeline.add(body(10));
  timeline.add(meeting(20, {first}));
  timeline.add(meeting(30));  // begins before, and waits while the other one passes
  EXPECT_THAT(ends(timeline), ElementsAre(10, 30, 50));
}

TEST(PlanTimeline, BodiesAreSlowerWhereMemoryIsShared) {
  Timeline timeline;
  Task gather = meeting(100);
  gather.work.demands.push_back({memory, 0.5});
  timeline.add(std::move(gather));
  Task busy = body(100);
  busy.work.demands.push_back({memory, 1});
  timeline.add(std::move(busy));
  EXPECT_THAT(ends(timeline), ElementsAre(100, 150));
  EXPECT_EQ(timeline.exposed().value, 50);
  EXPECT_THAT(timeline.waited_for(), ElementsAre(base::Ticks{0}, base::Ticks{50}));
}

TEST(PlanTimeline, NoMoreIsBroughtEarlyThanThereIsRoomFor) {
  Timeline timeline(100);
  std::vector<TaskId> gathers;
  for (int i = 0; i < 3; ++i) {
    gathers.push_back(timeline.add(meeting(10, {}, 1, 100)));
    timeline.add(body(50, {gathers.back()}));
  }
  // Beside what the next body reads, one more is early: the third waits until the first body runs.
  EXPECT_THAT(ends(timeline), ElementsAre(10, 60, 20, 110, 30, 160));
  EXPECT_EQ(timeline.most_early_bytes(), 100);
  EXPECT_EQ(timeline.tasks()[gathers[2]].begin.value, 10);
}

TEST(PlanTimeline, EveryMomentIsComputedOrAttributed) {
  base::Random random(7);
  for (int round = 0; round < 200; ++round) {
    Timeline timeline(static_cast<std::int64_t>(random.below(300)));
    std::vector<TaskId> all;
    for (int i = 0; i < 40; ++i) {
      std::vector<TaskId> after;
      for (std::uint64_t k = random.below(3); k > 0 && !all.empty(); --k)
        after.push_back(all[random.below(all.size())]);
      const auto time = static_cast<std::int64_t>(random.below(100));
      const double share = static_cast<double>(random.below(5)) / 4;
      all.push_back(
          timeline.add(random.below(2) == 0 ? body(time, after) : meeting(time, after, share, 60)));
    }
    timeline.run();
    base::Ticks waited{};
    for (const base::Ticks each : timeline.waited_for()) waited += each;
    EXPECT_LE(waited, timeline.exposed());
    const auto path = timeline.critical_path();
    EXPECT_EQ(timeline.tasks()[path.back()].end, timeline.end());
    base::Ticks free{};
    for (const Task& task : timeline.tasks()) {
      EXPECT_GE((task.end - task.begin).value, task.work.time.value);
      for (const TaskId before : task.after) EXPECT_LE(timeline.tasks()[before].end, task.begin);
      if (task.kind != Task::Kind::body) continue;
      EXPECT_GE(task.begin, free);
      free = task.end;
    }
    EXPECT_GE(timeline.end(), timeline.computing());
  }
}

}  // namespace
}  // namespace trainyard::plan
