// Are events handled in the order (time, priority, sequence), whatever the order they were
// scheduled in?
#include "events/queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/random.h"

namespace trainyard::events {
namespace {

struct Log final : Handler {
  explicit Log(Queue& q) : queue(q) {}
  void handle(Message message) override { seen.push_back({queue.now().value, message.what}); }
  Queue& queue;
  std::vector<std::pair<std::int64_t, std::uint32_t>> seen;
};

TEST(Queue, handles_by_time_then_priority_then_sequence) {
  Queue queue;
  Log log(queue);
  queue.at({20}, log, {.what = 1});
  queue.at({10}, log, {.what = 2}, Priority::late);
  queue.at({10}, log, {.what = 3});
  queue.at({10}, log, {.what = 4});
  queue.at({10}, log, {.what = 5}, Priority::early);
  queue.run();
  const std::vector<std::pair<std::int64_t, std::uint32_t>> expected = {
      {10, 5}, {10, 3}, {10, 4}, {10, 2}, {20, 1}};
  EXPECT_EQ(log.seen, expected);
  EXPECT_EQ(queue.handled(), 5u);
}

TEST(Queue, agrees_with_a_sort_on_random_schedules) {
  base::Random random(7);
  for (int round = 0; round < 50; ++round) {
    Queue queue;
    Log log(queue);
    std::vector<std::tuple<std::int64_t, int, std::uint32_t>> expected;
    const auto n = static_cast<std::uint32_t>(1 + random.below(200));
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto time = static_cast<std::int64_t>(random.below(20));
      const auto priority = static_cast<Priority>(random.below(3));
      queue.at({time}, log, {.what = i}, priority);
      expected.push_back({time, static_cast<int>(priority), i});
    }
    std::sort(expected.begin(), expected.end());
    queue.run();
    ASSERT_EQ(log.seen.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(log.seen[i].second, std::get<2>(expected[i]));
  }
}

TEST(Queue, an_event_may_schedule_another_at_the_same_time_but_not_in_the_past) {
  struct Chain final : Handler {
    explicit Chain(Queue& q) : queue(q) {}
    void handle(Message message) override {
      ++count;
      if (message.index > 0) queue.after({0}, *this, {.index = message.index - 1});
    }
    Queue& queue;
    int count = 0;
  };
  Queue queue;
  Chain chain(queue);
  queue.at({5}, chain, {.index = 3});
  queue.run();
  EXPECT_EQ(chain.count, 4);
  EXPECT_EQ(queue.now().value, 5);
  EXPECT_THROW(queue.at({4}, chain, {}), std::logic_error);
}

}  // namespace
}  // namespace trainyard::events
