// Does a server move packets as a walk through them one by one would: in turn among rings, by
// priority, at packet boundaries?
#include "memory/packet_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "base/random.h"

namespace trainyard::memory {
namespace {

using base::Ticks;
using Ends = std::map<std::uint32_t, std::int64_t>;

struct Arrival {
  std::int64_t time;
  std::size_t ring;
  Job job;
};

// The definition: one packet after the other; with shares, as many in a turn while another ring has
// anything to move.
Ends walk(const std::vector<Arrival>& arrivals, std::size_t rings,
          const std::vector<std::int64_t>& shares = {}) {
  std::vector<std::deque<Job>> queues(rings);
  Ends ends;
  std::int64_t clock = 0;
  std::size_t turn = 0, next = 0, waiting = 0;
  while (next < arrivals.size() || waiting > 0) {
    if (waiting == 0) clock = std::max(clock, arrivals[next].time);
    while (next < arrivals.size() && arrivals[next].time <= clock) {
      queues[arrivals[next].ring].push_back(arrivals[next].job);
      ++waiting;
      ++next;
    }
    std::size_t best = rings, busy = 0;
    for (std::size_t i = 0; i < rings; ++i) {
      const std::size_t ring = (turn + i) % rings;
      if (queues[ring].empty()) continue;
      ++busy;
      const bool urgent = shares.empty() && best != rings &&
                          queues[ring].front().priority < queues[best].front().priority;
      if (best == rings || urgent) best = ring;
    }
    Job& job = queues[best].front();
    const std::int64_t share = shares.empty() || busy == 1 ? 1 : shares[job.priority];
    const std::int64_t moved = std::min(share, job.packets);
    clock += moved * job.packet.value;
    turn = (best + 1) % rings;
    job.packets -= moved;
    if (job.packets > 0) continue;
    clock += job.tail.value;
    ends[job.transfer] = clock;
    queues[best].pop_front();
    --waiting;
  }
  return ends;
}

Ends simulate(const std::vector<Arrival>& arrivals, std::size_t rings,
              const std::vector<std::int64_t>& shares = {}) {
  PacketServer server(rings, 64, shares);
  Ends ends;
  const auto done = [&](std::uint32_t transfer, Ticks at) { ends[transfer] = at.value; };
  for (const Arrival& a : arrivals) {
    // Ends that come before the next arrival are foretold exactly.
    while (!server.idle()) {
      const Ticks end = server.next_end();
      if (end.value > a.time) break;
      const std::size_t before = ends.size();
      server.advance(end, done);
      EXPECT_EQ(ends.size(), before + 1);
    }
    server.advance({a.time}, done);
    server.push({a.time}, a.ring, a.job);
  }
  while (!server.idle()) server.advance(server.next_end(), done);
  return ends;
}

TEST(PacketServer, serves_one_ring_in_order) {
  const std::vector<Arrival> arrivals = {
      {100, 0, {.transfer = 1, .packets = 8, .packet = {10}, .tail = {1}}},
      {110, 0, {.transfer = 2, .packets = 2, .packet = {5}, .tail = {1}}}};
  const Ends expected = {{1, 181}, {2, 192}};
  EXPECT_EQ(simulate(arrivals, 2), expected);
}

TEST(PacketServer, agrees_with_a_walk_through_every_packet) {
  base::Random random(11);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rings = 1 + random.below(4);
    const bool priorities = random.below(2) == 1;
    std::vector<Arrival> arrivals;
    std::int64_t time = 0;
    for (std::uint32_t t = 0; t < 20; ++t) {
      time += static_cast<std::int64_t>(random.below(120));
      arrivals.push_back({time,
                          random.below(rings),
                          {.transfer = t,
                           .priority = static_cast<std::uint8_t>(priorities ? random.below(3) : 0),
                           .packets = static_cast<std::int64_t>(1 + random.below(12)),
                           .packet = {static_cast<std::int64_t>(1 + random.below(20))},
                           .tail = {static_cast<std::int64_t>(random.below(3))}}});
    }
    std::vector<std::int64_t> shares;
    if (random.below(2) == 1) shares = {8, 3, 1};
    ASSERT_EQ(simulate(arrivals, rings, shares), walk(arrivals, rings, shares))
        << "round " << round;
  }
}

}  // namespace
}  // namespace trainyard::memory
