#include "engines/core_meetings.h"

#include <algorithm>
#include <utility>

namespace trainyard::engines {

using base::Ticks;
using trace::Reason;

CoreMeetings::CoreMeetings(const Spec& spec, trace::Recorder* recorder,
                           const std::vector<trace::TrackId>& tracks)
    : spec_(spec) {
  for (std::size_t queue = isa::collective_queue_first; queue < isa::queue_count; ++queue) {
    const trace::TrackId track = queue < tracks.size() ? tracks[queue] : trace::no_track;
    state_.lines.push_back({{}, TimeAccount(track == trace::no_track ? nullptr : recorder, track)});
  }
}

void CoreMeetings::connect(MeetingPoint& meetings, std::size_t core) {
  meetings_ = &meetings;
  core_index_ = core;
  meetings.join(core, *this);
}

std::vector<std::uint32_t> CoreMeetings::waits_at() const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t id = 0; id < state_.exchanges.size(); ++id) {
    if (state_.exchanges[id].waits) found.push_back(instruction_of(id));
  }
  return found;
}

bool CoreMeetings::moves_itself(std::uint32_t id) const {
  const std::uint32_t instruction = instruction_of(id);
  const auto* path = spec_.steps.program()
                         .info_at(instruction)
                         .first<isa::DmaPath>(spec_.steps.program().record(instruction));
  return path != nullptr && *path == isa::DmaPath::gpsimd_dma;
}

bool CoreMeetings::is_collective(std::uint32_t id) const {
  return isa::is_collective_queue(spec_.steps.program().instructions[instruction_of(id)].queue);
}

CoreMeetings::Line& CoreMeetings::line_of(std::uint32_t id) {
  return state_.lines[spec_.steps.program().instructions[instruction_of(id)].queue -
                      std::size_t{isa::collective_queue_first}];
}

void CoreMeetings::arrive_at_barrier(const Issued& barrier) {
  const auto token = static_cast<std::uint32_t>(barrier.engine);
  meetings_->arrive(core_index_, {.occasion = Occasion::barrier,
                                  .channel = static_cast<std::int32_t>(token),
                                  .attendant = spec_.steps.attendant(barrier),
                                  .delay = meetings_->costs().core_barrier,
                                  .token = token});
}

void CoreMeetings::post(std::uint32_t id) {
  if (id >= state_.exchanges.size()) state_.exchanges.resize(id + 1);
  state_.exchanges[id] = {};
  state_.exchanges[id].posted = spec_.queue.now();
  if (!is_collective(id)) return attend(id);
  Line& line = line_of(id);
  line.flights.push_back(id);
  if (line.flights.size() == 1) attend(id);
}

void CoreMeetings::attend(std::uint32_t id) {
  state_.exchanges[id].waits = true;
  // What a collective's first word costs is part of its start.
  Ticks delay;
  if (!is_collective(id)) {
    delay =
        moves_itself(id) ? meetings_->costs().remote_semaphore : meetings_->costs().core_barrier;
  }
  meetings_->arrive(core_index_,
                    {.occasion = Occasion::begin,
                     .channel = spec_.steps.program().instructions[instruction_of(id)].queue,
                     .attendant = attendant(id),
                     .delay = delay,
                     .token = id});
}

void CoreMeetings::begin(std::uint32_t id) {
  Exchange& exchange = state_.exchanges[id];
  exchange.waits = false;
  const isa::Attendant mine = attendant(id);
  if (spec_.values) exchange.outgoing = spec_.steps.sends(mine);
  if (is_collective(id)) return begin_collective(id);
  if (!moves_itself(id)) return spec_.dma.move(id);
  // GpSimd's own DMA: half of its bandwidth in each direction.
  const base::Bytes bytes = isa::transfer_of(*spec_.dma[id].info, mine.record, spec_.core).written;
  const Ticks start = std::max(spec_.queue.now(), state_.gpsimd_dma_free);
  state_.gpsimd_dma_free = start + spec_.core.dma.gpsimd_bandwidth(bytes + bytes);
  spec_.queue.at(state_.gpsimd_dma_free, *this, {moved_itself, id});
}

void CoreMeetings::begin_collective(std::uint32_t id) {
  Exchange& exchange = state_.exchanges[id];
  TimeAccount& account = line_of(id).account;
  account.idle_until(exchange.posted);
  account.until(spec_.queue.now(), Reason::waiting_peer, instruction_of(id),
                spec_.dma[id].iteration);
  exchange.left = meetings_->work(core_index_, spec_.steps.program(), instruction_of(id));
  spec_.queue.at(spec_.queue.now() + exchange.left.latency, *this, {set_off, id});
}

void CoreMeetings::move_packets(std::uint32_t id) {
  Exchange& exchange = state_.exchanges[id];
  base::Bytes& left = exchange.left.written;
  if (left.value == 0) {
    line_of(id).account.until(spec_.queue.now(), Reason::working, instruction_of(id),
                              spec_.dma[id].iteration);
    return all_moved(id);
  }
  const machine::Dma& dma = spec_.core.dma;
  const base::Bytes packets{dma.packet_collective.value * dma.engines};
  const base::Bytes written = std::min(left, packets);
  // What is read for each byte written is the same all along.
  const base::Bytes read{exchange.left.read.value / base::ceil_div(left.value, written.value)};
  left -= written;
  exchange.left.read -= read;
  spec_.dma.move_packets(id, read, written);
}

void CoreMeetings::moved(std::uint32_t id) { is_collective(id) ? move_packets(id) : all_moved(id); }

void CoreMeetings::all_moved(std::uint32_t id) {
  Exchange& exchange = state_.exchanges[id];
  exchange.waits = true;
  meetings_->arrive(core_index_,
                    {.occasion = Occasion::end,
                     .channel = spec_.steps.program().instructions[instruction_of(id)].queue,
                     .attendant = attendant(id),
                     .delay = is_collective(id) ? Ticks{} : meetings_->costs().remote_semaphore,
                     .token = id,
                     .sent = std::move(exchange.outgoing)});
}

void CoreMeetings::end_collective(std::uint32_t id) {
  Line& line = line_of(id);
  line.account.until(spec_.queue.now(), Reason::waiting_peer, instruction_of(id),
                     spec_.dma[id].iteration);
  line.flights.pop_front();
  if (!line.flights.empty()) attend(line.flights.front());
}

void CoreMeetings::handle(events::Message message) {
  switch (static_cast<What>(message.what)) {
    case moved_itself: return all_moved(message.index);
    case set_off: return move_packets(message.index);
  }
}

void CoreMeetings::send(const Met& met) {
  switch (met.occasion) {
    case Occasion::barrier: return spec_.told.send({.is_barrier = true, .token = met.token});
    case Occasion::begin: return begin(met.token);
    case Occasion::end: {
      state_.exchanges[met.token].waits = false;
      if (is_collective(met.token)) end_collective(met.token);
      const Reception reception(spec_.steps.execution(), met.received, met.sum);
      return spec_.told.send({.token = met.token});
    }
  }
}

}  // namespace trainyard::engines
