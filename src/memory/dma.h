// The DMA engines of one core: who generates descriptors and at what rate, rings and their back
// pressure, packets and arbitration, the share of the HBM stack, completion in the order of each
// ring. It moves no data; who asked applies the copy when it is told that the transfer is done.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "events/port.h"
#include "events/queue.h"
#include "machine/core.h"
#include "memory/hbm_stack.h"
#include "memory/packet_server.h"
#include "memory/transfer_port.h"
#include "trace/recorder.h"

namespace trainyard::memory {

// The tracks that DMA activity is recorded on; no_track for what is not recorded.
struct DmaTracks {
  std::vector<trace::TrackId> rings;
  std::vector<trace::TrackId> engines;  // one after the other
};

class DmaEngines final : public events::Port<TransferRequest>, private events::Handler {
 public:
  // Everything referred to must outlive this; `recorder` may be null.
  DmaEngines(const machine::Core& core, events::Queue& queue, HbmStack& hbm,
             events::Port<TransferReply>& issuer, trace::Recorder* recorder, DmaTracks tracks);

  // A trigger is issued now. The reply `accepted` may come before this returns; for packets of a
  // collective, which move from now on, there is none.
  void send(const TransferRequest& request) override;

  // Transfers that are not done yet.
  [[nodiscard]] std::size_t pending() const { return pending_; }
  // Time in which an engine moved packets, added over all engines.
  [[nodiscard]] base::Ticks engine_busy() const { return engine_busy_; }
  // Time in which any engine moved packets.
  [[nodiscard]] base::Ticks active() const { return active_; }

  // Shows the transfers under way and the engines; `tokens` receives those of the transfers in the
  // order shown. Then what an event means that may be one of this; after it.
  void show(base::StateVisitor& visitor, std::vector<std::uint64_t>& tokens);
  [[nodiscard]] std::optional<std::int64_t> meaning(const events::Handler& handler,
                                                    events::Message message) const;

 private:
  enum What : std::uint32_t { admit, arrive, server_end, settle };

  // A transfer from its trigger to its end.
  struct Flight {
    TransferRequest request;
    std::int64_t descriptors = 0;  // on the fullest engine
    base::Ticks piece_time{};
    base::Ticks arrival{};      // the first packet may move
    HbmStack::Place hbm{};      // in the line of the stack
    base::Ticks ended{};        // the last engine's end
    std::uint32_t servers = 0;  // that still work on it
    bool moved = false;         // all of it is written
    std::uint32_t shown = 0;    // its number where the state is shown

    [[nodiscard]] base::Ticks work() const { return piece_time * descriptors; }
  };
  struct Group {
    std::uint32_t engines = 0;  // bit mask
    PacketServer server;
    std::uint32_t version = 0;  // of the scheduled end; older events are void
    base::Ticks recorded;       // what the engines did is told up to here
  };
  struct Ring {
    std::deque<std::uint32_t> flights;  // admitted, in order of their triggers
    std::int64_t descriptors = 0;       // of these
    std::deque<std::uint32_t> waiting;  // triggers that wait for room
    base::Ticks backlog_end;            // when the admitted work ends if no other ring competes
    base::Ticks recorded;
  };

  struct Issuer {
    base::Ticks free_at;   // its descriptor generation can take the next trigger
    base::Ticks released;  // it could go on after its last trigger
  };

  void handle(events::Message message) override;
  void show(base::StateVisitor& visitor, Flight& flight);
  [[nodiscard]] std::uint32_t new_flight(const TransferRequest& request);
  [[nodiscard]] bool is_full(const Ring& ring, const Flight& flight) const;
  // When no more than so many descriptors are left in the ring; a time in the past if it is so.
  [[nodiscard]] base::Ticks room_at(const Ring& ring, std::int64_t left) const;
  void admit_waiting(std::size_t ring);
  void enter(Ring& ring, std::uint32_t flight);
  // Descriptors are generated: replies when the issuer may go on and schedules the arrival.
  void generate(std::uint32_t flight);
  // The first packet may move.
  void start(std::uint32_t flight);
  void make_groups_uniform(const isa::Transfer& shape);
  void merge_idle_groups();
  void advance(std::size_t group, base::Ticks to);
  void schedule_end(std::size_t group);
  void lane_done(std::size_t group, std::uint32_t flight, base::Ticks at);
  void settle_at(std::uint32_t flight);
  void complete(std::uint32_t flight);
  void record(Group& group, const Flight& flight, base::Ticks end);

  const machine::Core& core_;
  events::Queue& queue_;
  HbmStack& hbm_;
  events::Port<TransferReply>& issuer_;
  trace::Recorder* recorder_;
  DmaTracks tracks_;
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_flights_;
  std::vector<Group> groups_;
  std::vector<Ring> rings_;  // by queue, those of collectives too
  std::size_t flights_max_;  // of a ring
  std::array<Issuer, isa::engine_count> issuers_{};
  base::Ticks lead_max_;  // of all triggers
  std::uint32_t next_version_ = 0;
  std::size_t pending_ = 0;
  base::Ticks engine_busy_;
  base::Ticks active_;
  base::Ticks active_until_;
};

}  // namespace trainyard::memory
