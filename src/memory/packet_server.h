// A set of DMA engines that have the same work to do, simulated as one: rings of jobs served packet
// by packet, in turn among the rings of the highest priority, or among all of them with a share for
// each priority class. One ring alone is served in a single step; only competing rings are walked
// through, and those by whole turns.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/state_visitor.h"
#include "base/units.h"
#include "events/channel.h"

namespace trainyard::memory {

// What one transfer asks of each of the engines.
struct Job {
  std::uint32_t transfer = 0;
  std::uint8_t priority = 0;  // 0 is the highest
  std::int64_t packets = 0;   // still to be moved
  base::Ticks packet;         // time of each
  base::Ticks tail;           // after the last packet: the semaphore write
};

class PacketServer {
 public:
  // A ring holds at most `depth` transfers. `shares`: how many packets a ring moves in its turn, by
  // the priority of its front job; empty: only the highest priority present moves.
  PacketServer(std::size_t rings, std::size_t depth, std::vector<std::int64_t> shares = {});

  [[nodiscard]] bool idle() const { return jobs_ == 0; }
  // The server's work is simulated up to here: the end of the last packet that began before
  // advance()'s time.
  [[nodiscard]] base::Ticks clock() const { return clock_; }

  // Adds a job that arrives at `now`; advance(now) comes first.
  void push(base::Ticks now, std::size_t ring, const Job& job);

  // Moves packets until `to`; calls done(transfer, time) for each job that ends by then.
  template <typename F>
  void advance(base::Ticks to, F&& done) {
    while (jobs_ > 0 && clock_ < to) {
      const std::uint32_t finished = move(to);
      if (finished != none) done(finished, clock_);
    }
  }
  // When the next job ends if nothing else arrives; the server must not be idle.
  [[nodiscard]] base::Ticks next_end();
  // Calls f(job) for every job, those in work included.
  template <typename F>
  void for_each_job(F&& f) const {
    for (const events::Channel<Job>& ring : rings_) {
      for (std::size_t i = 0; i < ring.size(); ++i) f(ring.at(i));
    }
  }

  // `name`: a number for each transfer.
  template <typename F>
  void show(base::StateVisitor& visitor, F&& name) {
    visitor.value(jobs_);
    visitor.value(turn_);
    idle() ? visitor.past(clock_) : visitor.moment(clock_);
    for (std::size_t ring = 0; ring < rings_.size(); ++ring) {
      if (rings_[ring].empty()) continue;
      visitor.value(ring);
      visitor.value(rings_[ring].size());
      for (std::size_t i = 0; i < rings_[ring].size(); ++i) {
        const Job& job = rings_[ring].at(i);
        visitor.value(name(job.transfer));
        visitor.value(job.priority);
        visitor.value(job.packets);
        visitor.value(job.packet.value);
        visitor.value(job.tail.value);
      }
    }
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  // Moves as far as one step of arithmetic goes: to the next end of a job, or past `to`. The
  // transfer that ended.
  std::uint32_t move(base::Ticks to);
  std::uint32_t move_alone(std::size_t ring, base::Ticks to);
  std::uint32_t move_in_turn(base::Ticks to);
  std::uint32_t finish(std::size_t ring);
  // The one that has jobs, where it is one.
  [[nodiscard]] std::size_t ring_alone() const {
    return static_cast<std::size_t>(std::countr_zero(busy_));
  }
  [[nodiscard]] std::size_t behind(std::size_t ring) const {
    return ring + 1 == rings_.size() ? 0 : ring + 1;
  }
  // Fills `contenders_` with the rings that move, in turn order.
  void find_contenders();
  void add_contender(std::size_t ring, std::uint8_t& best);
  // The packets of one turn of a ring.
  [[nodiscard]] std::int64_t share(const Job& job) const {
    return shares_.empty() ? 1 : shares_[job.priority];
  }
  // One turn of each contender, and how many turns the first of them to end needs.
  struct Round {
    base::Ticks time;
    std::int64_t turns = 0;
  };
  [[nodiscard]] Round round() const;

  std::vector<events::Channel<Job>> rings_;
  std::uint64_t busy_ = 0;  // bit mask of the rings with jobs
  std::vector<std::int64_t> shares_;
  std::vector<std::size_t> contenders_;
  std::size_t jobs_ = 0;
  std::size_t turn_ = 0;  // the ring that moves next
  base::Ticks clock_;
};

}  // namespace trainyard::memory
