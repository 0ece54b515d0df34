// How a timed core meets the other cores of the run: barriers, exchanges and collectives.
#include "engines/timed_core.h"
#include "engines/timed_core_parts.h"

namespace trainyard::engines {

using base::Ticks;
using isa::StreamItem;
using trace::Reason;

std::vector<std::uint32_t> TimedCore::waits_at() const {
  std::vector<std::uint32_t> found;
  for (const std::unique_ptr<Unit>& unit : units_) {
    if (unit->state == Unit::State::waiting_peer)
      found.push_back(unit->stream[unit->at - 1].instruction);
  }
  for (const Flight& flight : flights_) {
    if (flight.waits) found.push_back(flight.item->instruction);
  }
  return found;
}

std::string TimedCore::where() const {
  const Unit* behind = nullptr;
  const auto next = [](const Unit& unit) {
    return unit.stream[std::min(unit.at, unit.stream.size() - 1)].instruction;
  };
  for (const std::unique_ptr<Unit>& unit : units_) {
    if (unit->state == Unit::State::ended || unit->stream.empty()) continue;
    if (behind == nullptr || next(*unit) < next(*behind)) behind = unit.get();
  }
  return behind == nullptr ? "" : behind->cursor.describe(next(*behind));
}

isa::Attendant TimedCore::attendant(std::uint32_t instruction, std::uint32_t slot) {
  return {
      .execution = &execution_, .instruction = instruction, .record = record_in(slot, instruction)};
}

void TimedCore::run_barrier(Unit& unit, const StreamItem& item) {
  unit.met_slot = resolve(item.instruction, unit.engine);
  const void* record = record_in(unit.met_slot, item.instruction);
  if (options_.checkers != nullptr) {
    options_.checkers->issued(unit.engine, item, record, iteration(item.instruction), queue_.now());
  }
  unit.state = Unit::State::waiting_peer;
  const auto engine = static_cast<std::uint32_t>(unit.engine);
  meetings_->arrive(core_index_, {.occasion = Occasion::barrier,
                                  .channel = static_cast<std::int32_t>(engine),
                                  .attendant = attendant(item.instruction, unit.met_slot),
                                  .delay = meetings_->costs().core_barrier,
                                  .token = engine});
}

void TimedCore::leave_barrier(Unit& unit) {
  const StreamItem& item = unit.stream[unit.at - 1];
  const std::uint32_t iteration = this->iteration(item.instruction);
  ++executions_[item.instruction];
  unit.account.until(queue_.now(), Reason::waiting_peer, item.instruction, iteration);
  const Operation& operation =
      this->operation(item.instruction, unit.engine, record_in(unit.met_slot, item.instruction));
  unit.free_at = queue_.now() + operation.occupancy;
  unit.account.until(unit.free_at, Reason::overhead, item.instruction, iteration);
  complete_at(unit, item, unit.met_slot, queue_.now() + operation.latency);
  wait_until(unit, unit.free_at);
}

bool TimedCore::moves_itself(std::uint32_t exchange) const {
  const auto* path = program_.info_at(exchange).first<isa::DmaPath>(program_.record(exchange));
  return path != nullptr && *path == isa::DmaPath::gpsimd_dma;
}

void TimedCore::post(Unit& unit, std::uint32_t id) {
  Flight& flight = flights_[id];
  const std::uint32_t instruction = flight.item->instruction;
  const void* record = record_in(flight.slot, instruction);
  const base::Clock clock = core_.engine(unit.engine).clock;
  const Ticks free =
      queue_.now() + clock(flight.exchange->cycles(record, unit.engine, core_).occupancy);
  unit.account.until(free, Reason::overhead, instruction, flight.iteration);
  wait_until(unit, free);
  flight.posted = queue_.now();
  if (!is_collective(flight)) return attend(id);
  Line& line = line_of(flight);
  line.flights.push_back(id);
  if (line.flights.size() == 1) attend(id);
}

bool TimedCore::is_collective(const Flight& flight) const {
  return isa::is_collective_queue(program_.instructions[flight.item->instruction].queue);
}

TimedCore::Line& TimedCore::line_of(const Flight& flight) {
  return lines_[program_.instructions[flight.item->instruction].queue -
                std::size_t{isa::collective_queue_first}];
}

void TimedCore::attend(std::uint32_t id) {
  Flight& flight = flights_[id];
  const std::uint32_t instruction = flight.item->instruction;
  flight.waits = true;
  // What a collective's first word costs is part of its start.
  Ticks delay;
  if (!is_collective(flight)) {
    delay = moves_itself(instruction) ? meetings_->costs().remote_semaphore
                                      : meetings_->costs().core_barrier;
  }
  meetings_->arrive(core_index_, {.occasion = Occasion::begin,
                                  .channel = program_.instructions[instruction].queue,
                                  .attendant = attendant(instruction, flight.slot),
                                  .delay = delay,
                                  .token = id});
}

void TimedCore::begin_exchange(std::uint32_t id) {
  Flight& flight = flights_[id];
  flight.waits = false;
  const isa::Attendant mine = attendant(flight.item->instruction, flight.slot);
  if (options_.values) flight.outgoing.bytes = isa::outgoing(mine);
  if (options_.checkers != nullptr)
    options_.checkers->sends(mine.instruction, mine.record, flight.outgoing);
  if (is_collective(flight)) return begin_collective(id);
  if (!moves_itself(flight.item->instruction)) return move_bytes(id);
  // GpSimd's own DMA: half of its bandwidth in each direction.
  const base::Bytes bytes = isa::transfer_of(*flight.exchange, mine.record, core_).written;
  const Ticks start = std::max(queue_.now(), gpsimd_dma_free_);
  gpsimd_dma_free_ = start + core_.dma.gpsimd_bandwidth(bytes + bytes);
  queue_.at(gpsimd_dma_free_, *this, {message_of(moved, flight.issuer), id});
}

void TimedCore::begin_collective(std::uint32_t id) {
  Flight& flight = flights_[id];
  const std::uint32_t instruction = flight.item->instruction;
  TimeAccount& account = line_of(flight).account;
  account.idle_until(flight.posted);
  account.until(queue_.now(), Reason::waiting_peer, instruction, flight.iteration);
  flight.left = meetings_->work(core_index_, program_, instruction);
  queue_.at(queue_.now() + flight.left.latency, *this, {message_of(set_off, flight.issuer), id});
}

void TimedCore::move_packets(std::uint32_t id) {
  Flight& flight = flights_[id];
  const std::uint32_t instruction = flight.item->instruction;
  base::Bytes& left = flight.left.written;
  if (left.value == 0) {
    line_of(flight).account.until(queue_.now(), Reason::working, instruction, flight.iteration);
    return exchange_moved(id);
  }
  const base::Bytes packets{core_.dma.packet_collective.value * core_.dma.engines};
  const base::Bytes written = std::min(left, packets);
  // What is read for each byte written is the same all along.
  const base::Bytes read{flight.left.read.value / base::ceil_div(left.value, written.value)};
  left -= written;
  flight.left.read -= read;
  isa::TransferRequest request;
  request.shape = isa::transfer_of_collective(*flight.exchange, record_in(flight.slot, instruction),
                                              read, written, core_);
  request.generation = isa::Generation::collective;
  request.issuer = flight.issuer;
  request.ring = program_.instructions[instruction].queue;
  request.instruction = instruction;
  request.iteration = flight.iteration;
  request.token = id;
  dma_->send(request);
}

void TimedCore::end_collective(std::uint32_t id) {
  const Flight& flight = flights_[id];
  Line& line = line_of(flight);
  line.account.until(queue_.now(), Reason::waiting_peer, flight.item->instruction,
                     flight.iteration);
  line.flights.pop_front();
  if (!line.flights.empty()) attend(line.flights.front());
}

void TimedCore::exchange_moved(std::uint32_t id) {
  Flight& flight = flights_[id];
  flight.waits = true;
  meetings_->arrive(core_index_,
                    {.occasion = Occasion::end,
                     .channel = program_.instructions[flight.item->instruction].queue,
                     .attendant = attendant(flight.item->instruction, flight.slot),
                     .delay = is_collective(flight) ? Ticks{} : meetings_->costs().remote_semaphore,
                     .token = id,
                     .sent = std::move(flight.outgoing)});
}

void TimedCore::send(const Met& met) {
  switch (met.occasion) {
    case Occasion::barrier: return leave_barrier(*units_[met.token]);
    case Occasion::begin: return begin_exchange(met.token);
    case Occasion::end:
      flights_[met.token].waits = false;
      if (is_collective(flights_[met.token])) end_collective(met.token);
      execution_.received = met.received;
      land(met.token);
      execution_.received = {};  // it lasts no longer than the meeting
      return;
  }
}

}  // namespace trainyard::engines
