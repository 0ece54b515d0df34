#include "memory/packet_server.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/error.h"

namespace trainyard::memory {

using base::Ticks;

PacketServer::PacketServer(std::size_t rings, std::size_t depth, std::vector<std::int64_t> shares)
    : rings_(rings, events::Channel<Job>(depth)), shares_(std::move(shares)) {
  base::check(rings <= 64, "a server has a bit for each ring");
  contenders_.reserve(rings);
}

void PacketServer::push(Ticks now, std::size_t ring, const Job& job) {
  base::check(idle() || clock_ >= now, "a server is advanced before work is added");
  if (idle()) clock_ = std::max(clock_, now);
  rings_[ring].push(job);
  busy_ |= std::uint64_t{1} << ring;
  ++jobs_;
}

void PacketServer::find_contenders() {
  contenders_.clear();
  std::uint8_t best = 0xFF;
  // From the one whose turn it is.
  const std::uint64_t before = busy_ & ((std::uint64_t{1} << turn_) - 1);
  for (const std::uint64_t rings : {busy_ ^ before, before}) {
    for (std::uint64_t rest = rings; rest != 0; rest &= rest - 1)
      add_contender(static_cast<std::size_t>(std::countr_zero(rest)), best);
  }
}

void PacketServer::add_contender(std::size_t ring, std::uint8_t& best) {
  if (shares_.empty()) {
    const std::uint8_t priority = rings_[ring].front().priority;
    if (priority > best) return;
    if (priority < best) contenders_.clear();
    best = priority;
  }
  contenders_.push_back(ring);
}

std::uint32_t PacketServer::finish(std::size_t ring) {
  const Job job = rings_[ring].pop();
  if (rings_[ring].empty()) busy_ &= ~(std::uint64_t{1} << ring);
  clock_ += job.tail;
  --jobs_;
  return job.transfer;
}

std::uint32_t PacketServer::move(Ticks to) {
  if (std::has_single_bit(busy_)) return move_alone(ring_alone(), to);
  find_contenders();
  return contenders_.size() == 1 ? move_alone(contenders_.front(), to) : move_in_turn(to);
}

std::uint32_t PacketServer::move_alone(std::size_t ring, Ticks to) {
  Job& job = rings_[ring].front();
  if (job.packets > 0) {
    const std::int64_t wanted =
        base::ceil_div((to - clock_).value, std::max<std::int64_t>(1, job.packet.value));
    const std::int64_t count = std::min(job.packets, wanted);
    job.packets -= count;
    clock_ += job.packet * count;
    turn_ = behind(ring);
  }
  return job.packets == 0 ? finish(ring) : none;
}

PacketServer::Round PacketServer::round() const {
  Round found{Ticks{0}, std::numeric_limits<std::int64_t>::max()};
  for (const std::size_t ring : contenders_) {
    const Job& job = rings_[ring].front();
    found.time += job.packet * share(job);
    found.turns = std::min(found.turns, base::ceil_div(job.packets, share(job)));
  }
  return found;
}

std::uint32_t PacketServer::move_in_turn(Ticks to) {
  const Round round = this->round();
  // Whole rounds in one step, as long as nobody ends in them and `to` lies behind them.
  const std::int64_t rounds =
      std::min(round.turns - 1, (to - clock_).value / std::max<std::int64_t>(1, round.time.value));
  if (rounds > 0) {
    for (const std::size_t ring : contenders_) {
      Job& job = rings_[ring].front();
      job.packets -= rounds * share(job);
    }
    clock_ += round.time * rounds;
    turn_ = behind(contenders_.back());
    return none;
  }
  const std::size_t ring = contenders_.front();
  Job& job = rings_[ring].front();
  const std::int64_t count = std::min(job.packets, share(job));
  job.packets -= count;
  clock_ += job.packet * count;
  turn_ = behind(ring);
  return job.packets == 0 ? finish(ring) : none;
}

Ticks PacketServer::next_end() {
  base::check(!idle(), "an idle server ends nothing");
  if (std::has_single_bit(busy_)) {
    const Job& job = rings_[ring_alone()].front();
    return clock_ + job.packet * job.packets + job.tail;
  }
  find_contenders();
  const Round round = this->round();
  // All but the last round are whole; in the last one the first job with the fewest turns ends.
  const std::int64_t whole = std::max<std::int64_t>(0, round.turns - 1);
  Ticks end = clock_ + round.time * whole;
  for (const std::size_t ring : contenders_) {
    const Job& job = rings_[ring].front();
    end += job.packet * std::min(share(job), job.packets - whole * share(job));
    if (base::ceil_div(job.packets, share(job)) == round.turns) return end + job.tail;
  }
  base::fail("one of the contenders needs the fewest turns");
}

}  // namespace trainyard::memory
