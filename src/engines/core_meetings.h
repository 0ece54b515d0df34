// How a timed core meets the others of its run: barriers, exchanges and collectives, from the
// moment they are posted until they are over. It moves no stream on; whoever does is told.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engines/dma_issue.h"
#include "engines/meeting_point.h"
#include "engines/steps.h"
#include "engines/time_account.h"
#include "events/port.h"
#include "events/queue.h"
#include "isa/semantics/meeting.h"

namespace trainyard::engines {

// A meeting is over: of an engine at a barrier, or of a flight.
struct MeetingOver {
  bool is_barrier = false;
  std::uint32_t token = 0;  // the engine, or the flight
};

class CoreMeetings final : public events::Port<Met>, private events::Handler {
 public:
  // Everything referred to must outlive this.
  struct Spec {
    const Steps& steps;
    const machine::Core& core;
    events::Queue& queue;
    DmaIssue& dma;
    events::Port<MeetingOver>& told;
    bool values = true;
  };
  // `tracks`: by DMA queue; what a queue of collectives does is told of them.
  CoreMeetings(const Spec& spec, trace::Recorder* recorder,
               const std::vector<trace::TrackId>& tracks);

  void connect(MeetingPoint& meetings, std::size_t core);

  // An engine comes to a barrier.
  void arrive_at_barrier(const Issued& barrier);
  // An exchange between cores, or a collective: posted, begun when the others have posted their
  // own, moved, ended when the others have moved their own. The collectives of a channel come one
  // after the other.
  void post(std::uint32_t flight);
  // The DMA engines have moved what they were asked for.
  void moved(std::uint32_t flight);

  // The instructions whose flights wait for other cores.
  [[nodiscard]] std::vector<std::uint32_t> waits_at() const;

 private:
  enum What : std::uint32_t { moved_itself, set_off };

  // What a flight is besides.
  struct Exchange {
    bool waits = false;  // for others
    base::Ticks posted;
    CollectiveWork left;  // of a collective
    isa::Message outgoing{};
  };
  // The collectives of one channel that have been posted, in order; the first is under way.
  struct Line {
    std::deque<std::uint32_t> flights;
    TimeAccount account;
  };
  struct State {
    std::vector<Exchange> exchanges;  // by flight
    std::vector<Line> lines;          // by channel of collectives
    base::Ticks gpsimd_dma_free;
  };

  void send(const Met& met) override;
  void handle(events::Message message) override;
  void attend(std::uint32_t flight);
  void begin(std::uint32_t flight);
  // A collective waits for its latency, then its bytes move, a packet an engine at a time, so that
  // other transfers come in between.
  void begin_collective(std::uint32_t flight);
  void move_packets(std::uint32_t flight);
  void end_collective(std::uint32_t flight);
  void all_moved(std::uint32_t flight);
  [[nodiscard]] std::uint32_t instruction_of(std::uint32_t flight) const {
    return spec_.dma[flight].issued.instruction;
  }
  // GpSimd's own DMA does it.
  [[nodiscard]] bool moves_itself(std::uint32_t flight) const;
  [[nodiscard]] bool is_collective(std::uint32_t flight) const;
  [[nodiscard]] Line& line_of(std::uint32_t flight);
  [[nodiscard]] isa::Attendant attendant(std::uint32_t flight) const {
    return spec_.steps.attendant(spec_.dma[flight].issued);
  }

  Spec spec_;
  State state_;
  MeetingPoint* meetings_ = nullptr;
  std::size_t core_index_ = 0;
};

}  // namespace trainyard::engines
