// Does a bounded channel keep order across its wrap-around and refuse what does not fit?
#include "events/channel.h"

#include <gtest/gtest.h>

#include "events/server.h"

namespace trainyard::events {
namespace {

TEST(Channel, keeps_order_across_the_wrap_around) {
  Channel<int> channel(3);
  int next = 0;
  int expected = 0;
  for (int round = 0; round < 10; ++round) {
    while (!channel.full()) channel.push(next++);
    EXPECT_EQ(channel.pop(), expected++);
    EXPECT_EQ(channel.pop(), expected++);
  }
  EXPECT_EQ(channel.size(), 1u);
}

TEST(Channel, refuses_what_does_not_fit) {
  Channel<int> channel(1);
  channel.push(1);
  EXPECT_THROW(channel.push(2), std::logic_error);
  channel.pop();
  EXPECT_THROW(channel.pop(), std::logic_error);
}

TEST(Server, serves_one_after_the_other_and_counts_its_busy_time) {
  Server server;
  EXPECT_EQ(server.serve({10}, {5}).end.value, 15);
  const Server::Slot second = server.serve({11}, {5});  // legal at 15, not at 14
  EXPECT_EQ(second.begin.value, 15);
  EXPECT_EQ(second.end.value, 20);
  EXPECT_EQ(server.serve({30}, {1}).begin.value, 30);
  EXPECT_EQ(server.busy().value, 11);
}

}  // namespace
}  // namespace trainyard::events
