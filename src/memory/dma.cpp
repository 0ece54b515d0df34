#include "memory/dma.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace trainyard::memory {

using base::Ticks;
using isa::DescriptorMaker;
using isa::Space;

namespace {

// Transfers a ring holds at most, whatever their size: the descriptors that have room in the memory
// set aside for them, two a transfer (data and semaphore). Only a runaway program meets this bound.
std::size_t flights_per_ring(const machine::Core& core) {
  const machine::Dma& dma = core.dma;
  const std::int64_t space = dma.software_descriptor_space.value * core.sbuf.partitions;
  const std::int64_t rings = dma.engines * dma.rings_per_engine;
  return static_cast<std::size_t>(
      std::max<std::int64_t>(1, space / (dma.descriptor_size.value * rings * 2)));
}

const machine::EngineTimes& engine_of(isa::Engine issuer, const machine::Core& core) {
  return core.engine(issuer);
}

base::Bytes hbm_bytes(const isa::Transfer& shape) {
  base::Bytes sum{0};
  if (shape.from == Space::hbm) sum += shape.read;
  if (shape.to == Space::hbm) sum += shape.written;
  return sum;
}

std::vector<std::int64_t> shares_of(const machine::Core& core) {
  if (core.policy.dma_arbitration != machine::DmaArbitration::weighted) return {};
  const machine::Dma& dma = core.dma;
  return {dma.class_share_0, dma.class_share_1, dma.class_share_2, dma.class_share_3};
}

}  // namespace

DmaEngines::DmaEngines(const machine::Core& core, events::Queue& queue, HbmStack& hbm,
                       events::Port<TransferReply>& issuer, trace::Recorder* recorder,
                       DmaTracks tracks)
    : core_(core),
      queue_(queue),
      hbm_(hbm),
      issuer_(issuer),
      recorder_(recorder),
      tracks_(std::move(tracks)),
      rings_(std::max<std::size_t>(static_cast<std::size_t>(core.dma.rings_per_engine),
                                   isa::queue_count)),
      flights_max_(flights_per_ring(core)) {
  const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << core.dma.engines) - 1);
  groups_.push_back({.engines = all,
                     .server = PacketServer(rings_.size(), flights_max_, shares_of(core)),
                     .version = 0,
                     .recorded = {}});
}

std::uint32_t DmaEngines::new_flight(const TransferRequest& request) {
  std::uint32_t id = 0;
  if (free_flights_.empty()) {
    id = static_cast<std::uint32_t>(flights_.size());
    flights_.emplace_back();
  } else {
    id = free_flights_.back();
    free_flights_.pop_back();
  }
  flights_[id] = {
      .request = request,
      .descriptors = request.shape.pieces_max() + 1,  // the semaphore write is one
      .piece_time = isa::piece_time(request.shape, request.maker, core_, hbm_.write_granule())};
  return id;
}

void DmaEngines::send(const TransferRequest& request) {
  base::check(request.ring < rings_.size(), "a transfer goes to a ring that exists");
  ++pending_;
  lead_max_ = std::max(lead_max_, request.lead);
  Ring& ring = rings_[request.ring];
  const std::uint32_t flight = new_flight(request);
  if (request.maker == DescriptorMaker::collective) {
    flights_[flight].arrival = queue_.now();
    enter(ring, flight);
    return start(flight);
  }
  ring.waiting.push_back(flight);
  if (ring.waiting.size() == 1) admit_waiting(request.ring);
}

// How much a ring holds is known for hardware descriptors only.
bool DmaEngines::is_full(const Ring& ring, const Flight& flight) const {
  const bool counts =
      flight.request.maker == DescriptorMaker::hardware && flight.request.shape.to == Space::hbm;
  return ring.flights.size() >=
         (counts ? static_cast<std::size_t>(core_.dma.ring_stores) : flights_max_);
}

Ticks DmaEngines::room_at(const Ring& ring, std::int64_t left) const {
  if (ring.descriptors <= left) return {0};
  Ticks end = ring.backlog_end;
  for (auto id = ring.flights.rbegin(); id != ring.flights.rend(); ++id) {
    const Flight& flight = flights_[*id];
    if (flight.descriptors >= left) return end - flight.piece_time * left;
    end -= flight.work();
    left -= flight.descriptors;
  }
  base::fail("a ring has the descriptors of its flights");
}

void DmaEngines::enter(Ring& ring, std::uint32_t flight) {
  ring.flights.push_back(flight);
  ring.descriptors += flights_[flight].descriptors;
}

void DmaEngines::admit_waiting(std::size_t index) {
  Ring& ring = rings_[index];
  while (!ring.waiting.empty()) {
    const std::uint32_t flight = ring.waiting.front();
    const bool hardware = flights_[flight].request.maker == DescriptorMaker::hardware;
    const Ticks room = hardware ? room_at(ring, core_.dma.ring_depth - 1) : Ticks{0};
    if (room > queue_.now() || is_full(ring, flights_[flight])) {
      // Looked at again at that time, and whenever a transfer of the ring ends.
      if (room > queue_.now()) queue_.at(room, *this, {admit, static_cast<std::uint32_t>(index)});
      return;
    }
    ring.waiting.pop_front();
    generate(flight);
  }
}

void DmaEngines::generate(std::uint32_t id) {
  Flight& flight = flights_[id];
  const TransferRequest& request = flight.request;
  const bool hardware = request.maker == DescriptorMaker::hardware;
  const machine::DescriptorCosts& how = isa::descriptors_of(request.maker, core_);
  Issuer& issuer = issuers_[static_cast<std::size_t>(request.issuer)];
  const bool behind_another = queue_.now() - request.lead <= issuer.released;
  const Ticks held = isa::issue_time(request.maker, request.issuer, behind_another, core_);
  // Hardware holds the sequencer until the block has taken the trigger.
  Ticks released = (hardware ? std::max(queue_.now(), issuer.free_at) : queue_.now()) + held;
  // The descriptors begin to reach the engines.
  const Ticks begin = hardware ? released : std::max(released, issuer.free_at);
  issuer.free_at = (hardware ? begin - held : begin) + how.issue_interval;
  issuer.released = released + engine_of(request.issuer, core_).sequencer.gap;
  flight.arrival = begin + how.trigger_latency;
  if (request.shape.from == Space::hbm) flight.arrival += hbm_.read_latency();

  Ring& ring = rings_[request.ring];
  ring.backlog_end = std::max(ring.backlog_end, flight.arrival) + flight.work();
  enter(ring, id);
  if (hardware) {
    // What does not fit into the ring is generated as it empties.
    released = std::max(released, room_at(ring, core_.dma.ring_depth));
  }
  // Engines start one after the other; the last one of a transfer decides when it is done.
  Ticks spread{how.spread.value * request.shape.last_engine() /
               std::max<std::int64_t>(1, core_.dma.engines - 1)};
  if (request.shape.from == Space::hbm) {
    const base::Bytes asked = std::min(request.shape.read, hbm_.read_ahead());
    spread += core_.dma.even_shares(asked);
  }
  queue_.at(flight.arrival + spread, *this, {arrive, id});
  const TransferReply reply{TransferReply::What::accepted, request.token, released};
  issuer_.send(reply);
}

void DmaEngines::handle(events::Message message) {
  switch (static_cast<What>(message.what & 3u)) {
    case admit: return admit_waiting(message.index);
    case arrive: return start(message.index);
    case settle:
      if (hbm_.end_of(flights_[message.index].hbm) > queue_.now()) return settle_at(message.index);
      return complete(message.index);
    case server_end:
      // The upper bits hold the version of the group's schedule.
      if (message.index >= groups_.size() || groups_[message.index].version != message.what >> 2)
        return;
      advance(message.index, queue_.now());
      schedule_end(message.index);
      return;
  }
}

void DmaEngines::start(std::uint32_t id) {
  const TransferRequest& request = flights_[id].request;
  const isa::Transfer& shape = request.shape;
  const base::Bytes bytes = hbm_bytes(shape);
  flights_[id].hbm =
      request.maker == DescriptorMaker::collective
          ? hbm_.move_by_turns(queue_.now(), bytes, request.instruction, request.iteration)
          : hbm_.move(queue_.now(), bytes, request.instruction, request.iteration);
  make_groups_uniform(shape);
  const bool in_turn = core_.policy.dma_arbitration == machine::DmaArbitration::round_robin;
  const std::int64_t classes = in_turn ? 1 : core_.dma.priorities;
  const std::int32_t wanted = shape.priority < 0 ? 0 : shape.priority;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto first = static_cast<std::size_t>(std::countr_zero(groups_[g].engines));
    const std::int64_t pieces = shape.pieces[first];
    if (pieces == 0) continue;
    Flight& flight = flights_[id];
    ++flight.servers;
    flight.ended = std::max(flight.ended, queue_.now());
    advance(g, queue_.now());
    groups_[g].server.push(
        queue_.now(), flight.request.ring,
        {.transfer = id,
         .priority = classes > 1 ? static_cast<std::uint8_t>(wanted) : std::uint8_t{0},
         .packets = pieces,
         .packet = flight.piece_time,
         .tail = isa::descriptors_of(flight.request.maker, core_).packet_min +
                 core_.dma.packet_latency});
    schedule_end(g);
  }
  if (flights_[id].servers == 0) complete(id);
}

void DmaEngines::merge_idle_groups() {
  std::size_t target = groups_.size();
  for (std::size_t g = 0; g < groups_.size();) {
    const bool free = groups_[g].server.idle() && groups_[g].server.clock() <= queue_.now();
    if (free && target < g) {
      groups_[target].engines |= groups_[g].engines;
      groups_[target].recorded = std::max(groups_[target].recorded, groups_[g].recorded);
      // Moving the last group changes its index: its scheduled end is made anew.
      if (g + 1 != groups_.size()) groups_[g] = std::move(groups_.back());
      groups_.pop_back();
      if (g < groups_.size()) schedule_end(g);
      continue;
    }
    if (free && target == groups_.size()) target = g;
    ++g;
  }
}

void DmaEngines::make_groups_uniform(const isa::Transfer& shape) {
  if (groups_.size() > 1) merge_idle_groups();
  if (shape.is_even()) return;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::uint32_t all = groups_[g].engines;
    const std::int32_t pieces = shape.pieces[static_cast<std::size_t>(std::countr_zero(all))];
    std::uint32_t others = 0;
    for (std::uint32_t rest = all; rest != 0; rest &= rest - 1) {
      const int e = std::countr_zero(rest);
      if (shape.pieces[static_cast<std::size_t>(e)] != pieces) others |= std::uint32_t{1} << e;
    }
    if (others == 0) continue;
    // The copy is looked at again in a later turn of this loop, should it not be uniform either.
    Group copy = groups_[g];
    copy.engines = others;
    groups_[g].engines = all & ~others;
    copy.server.for_each_job([&](const Job& job) { ++flights_[job.transfer].servers; });
    groups_.push_back(std::move(copy));
    schedule_end(groups_.size() - 1);
  }
}

void DmaEngines::advance(std::size_t group, Ticks to) {
  groups_[group].server.advance(
      to, [&](std::uint32_t flight, Ticks at) { lane_done(group, flight, at); });
}

void DmaEngines::schedule_end(std::size_t g) {
  Group& group = groups_[g];
  next_version_ = (next_version_ + 1) & 0x3FFFFFFFu;
  group.version = next_version_;
  if (group.server.idle()) return;
  queue_.at(std::max(queue_.now(), group.server.next_end()), *this,
            {server_end | group.version << 2, static_cast<std::uint32_t>(g)});
}

void DmaEngines::lane_done(std::size_t g, std::uint32_t id, Ticks at) {
  Flight& flight = flights_[id];
  record(groups_[g], flight, at);
  flight.ended = std::max(flight.ended, at);
  if (--flight.servers > 0) return;
  settle_at(id);
}

// The last packet may still be on its way although its server was asked earlier.
void DmaEngines::settle_at(std::uint32_t id) {
  const Flight& flight = flights_[id];
  queue_.at(std::max({queue_.now(), flight.ended, hbm_.end_of(flight.hbm)}), *this, {settle, id},
            events::Priority::early);
}

void DmaEngines::complete(std::uint32_t id) {
  flights_[id].moved = true;
  const std::size_t index = flights_[id].request.ring;
  Ring& ring = rings_[index];
  bool any = false;
  while (!ring.flights.empty() && flights_[ring.flights.front()].moved) {
    const std::uint32_t front = ring.flights.front();
    ring.flights.pop_front();
    const Flight& flight = flights_[front];
    ring.descriptors -= flight.descriptors;
    if (recorder_ != nullptr && index < tracks_.rings.size()) {
      const Ticks begin = std::max(ring.recorded, flight.arrival);
      ring.recorded = std::max(ring.recorded, queue_.now());
      recorder_->interval(tracks_.rings[index], trace::Reason::working, begin, ring.recorded,
                          flight.request.instruction, flight.request.iteration);
    }
    --pending_;
    any = true;
    const TransferReply reply{TransferReply::What::done, flight.request.token, queue_.now()};
    free_flights_.push_back(front);
    issuer_.send(reply);
  }
  if (!any) return;
  // The estimate starts anew from what really happened.
  if (!ring.flights.empty() && flights_[ring.flights.front()].arrival <= queue_.now()) {
    Ticks end = queue_.now();
    for (const std::uint32_t f : ring.flights)
      end = std::max(end, flights_[f].arrival) + flights_[f].work();
    ring.backlog_end = end;
  }
  admit_waiting(index);
}

void DmaEngines::record(Group& group, const Flight& flight, Ticks end) {
  const Ticks begin = std::max(group.recorded, flight.arrival);
  if (end <= begin) return;
  group.recorded = end;
  engine_busy_ += (end - begin) * std::popcount(group.engines);
  if (end > active_until_) {
    active_ += end - std::max(begin, active_until_);
    active_until_ = end;
  }
  if (recorder_ == nullptr || tracks_.engines.empty()) return;
  recorder_->intervals({tracks_.engines.front(), group.engines}, trace::Reason::working, begin, end,
                       flight.request.instruction, flight.request.iteration);
}

void DmaEngines::show(base::StateVisitor& visitor, Flight& flight) {
  visitor.value(flight.request.instruction);
  visitor.value(flight.descriptors);
  visitor.value(flight.piece_time.value);
  visitor.moment(flight.arrival);
  visitor.past(flight.hbm.end);
  visitor.value(flight.hbm.cuts);
  visitor.past(flight.ended);
  visitor.value(flight.servers);
  visitor.value(flight.moved);
}

void DmaEngines::show(base::StateVisitor& visitor, std::vector<std::uint64_t>& tokens) {
  // What the engines did is told from the latest of what was told and an arrival on.
  Ticks told = queue_.now();
  std::uint32_t shown = 0;
  for (std::size_t r = 0; r < rings_.size(); ++r) {
    Ring& ring = rings_[r];
    if (ring.flights.empty() && ring.waiting.empty()) continue;
    visitor.value(r);
    visitor.value(ring.flights.size());
    visitor.value(ring.waiting.size());
    for (const std::uint32_t id : ring.flights) {
      show(visitor, flights_[id]);
      told = std::min(told, flights_[id].arrival);
    }
    for (const std::uint32_t id : ring.waiting) visitor.value(flights_[id].request.instruction);
    for (const auto* list : {&ring.flights, &ring.waiting}) {
      for (const std::uint32_t id : *list) {
        flights_[id].shown = shown++;
        tokens.push_back(flights_[id].request.token);
      }
    }
    visitor.value(ring.descriptors);
  }
  for (Ring& ring : rings_) {
    ring.flights.empty() ? visitor.past(ring.backlog_end) : visitor.moment(ring.backlog_end);
    visitor.past(ring.recorded, told);
  }
  for (Issuer& issuer : issuers_) {
    visitor.past(issuer.free_at);
    visitor.past(issuer.released, queue_.now() - lead_max_ - Ticks{1});
  }
  for (Group& group : groups_) {
    visitor.value(group.engines);
    group.server.show(visitor, [&](std::uint32_t id) { return flights_[id].shown; });
    visitor.past(group.recorded, told);
  }
  visitor.value(pending_);
  visitor.counter(engine_busy_);
  visitor.counter(active_);
  visitor.past(active_until_, told);
}

std::optional<std::int64_t> DmaEngines::meaning(const events::Handler& handler,
                                                events::Message message) const {
  if (&handler != this) return std::nullopt;
  const auto what = static_cast<What>(message.what & 3u);
  std::int64_t index = message.index;
  if (what == arrive || what == settle) index = flights_[message.index].shown;
  if (what == server_end &&
      (message.index >= groups_.size() || groups_[message.index].version != message.what >> 2)) {
    index = -1;  // void
  }
  return index * 4 + what;
}

}  // namespace trainyard::memory
