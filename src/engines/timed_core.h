// One core in time: five sequencers that walk their streams, wait for semaphores, occupy their data
// paths and trigger DMA transfers; events decide when. It asks instructions what they cost and,
// where values are wanted, applies them when they complete; the memory side answers through ports.
// What it consists of stands in its parts: sequencer, signals, data_paths, dma_issue,
// core_meetings, operations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engines/control_cursor.h"
#include "engines/core_meetings.h"
#include "engines/data_paths.h"
#include "engines/dma_issue.h"
#include "engines/meeting_point.h"
#include "engines/operations.h"
#include "engines/sequencer.h"
#include "engines/signals.h"
#include "engines/steady_loops.h"
#include "engines/steps.h"
#include "events/port.h"
#include "events/queue.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/observer.h"
#include "memory/transfer_port.h"
#include "trace/recorder.h"

namespace trainyard::engines {

struct TimedOptions {
  bool values = true;         // apply instructions to the core's state; time does not depend on it
  bool unknown_once = false;  // without values: loops and branches that read memory run once
  trace::Recorder* recorder = nullptr;
  isa::Observer* observer = nullptr;  // may watch, and only where values are applied
  CoreTracks tracks;
};

class TimedCore final : public events::Port<memory::TransferReply>,
                        public events::Port<MeetingOver>,
                        private events::Handler {
 public:
  // The program must be compiled. Everything referred to must outlive this. Without values, only
  // control instructions touch the execution's state.
  TimedCore(const isa::Program& program, isa::Execution& execution, events::Queue& queue,
            const TimedOptions& options);

  // Where transfers go, and where this core, the given one of the run, meets the others. Once,
  // before start().
  void connect(events::Port<memory::TransferRequest>& dma, MeetingPoint& meetings,
               std::size_t core);
  // All sequencers begin now.
  void start();
  // From the DMA engines.
  void send(const memory::TransferReply& reply) override;
  // From its meetings with other cores.
  void send(const MeetingOver& over) override;

  // Every stream has ended and every transfer is done.
  [[nodiscard]] bool finished() const;
  // The instructions at which it waits for other cores.
  [[nodiscard]] std::vector<std::uint32_t> waits_at() const;
  // Throws Fault deadlock unless finished: no event is left, so nothing will ever change.
  void check_finished() const;

  // The end of the last work so far.
  [[nodiscard]] base::Ticks end() const { return state_.end; }
  [[nodiscard]] const TimeAccount& account(isa::Engine engine) const;
  // How often each instruction ran.
  [[nodiscard]] const std::vector<std::uint64_t>& executions() const { return state_.executions; }
  [[nodiscard]] std::uint64_t executed() const { return state_.executed; }
  // What they did.
  [[nodiscard]] const WorkTotals& work() const { return state_.work; }
  // How many will have run at the end; 0 where only the run can tell.
  [[nodiscard]] std::uint64_t expected() const { return expected_; }
  // The engine that is furthest behind, and where it is.
  [[nodiscard]] std::string where() const;
  // Of these, the ones whose values are there; zero without values.
  [[nodiscard]] std::uint64_t applied() const { return steps_.applied(); }
  // Time in which the tensor engine's clock was limited.
  [[nodiscard]] base::Ticks throttled() const { return paths_.throttle().limited(); }

  // Tells of the turns of these loops from now on; they must outlive this.
  void tell_turns(const SteadyLoops& loops) { steady_ = &loops; }
  // The loop a turn of which has just ended on its pilot, another one following; once.
  [[nodiscard]] std::optional<std::uint32_t> turn_ended() {
    return std::exchange(state_.turn_ended, std::nullopt);
  }
  // How the sequencers that are in a loop stand, its pilot among them.
  struct Turns {
    std::uint32_t entries = 0;  // how often sequencers entered it
    std::int64_t pilot = 0;     // the count that comes next on the pilot
    std::int64_t first = 0;     // the least count of now
    std::int64_t last = 0;      // the last count of all
    std::int64_t left = 0;      // turns that each of them still begins, at least
  };
  [[nodiscard]] Turns turns(const SteadyLoop& loop) const;
  // Shows all but the throttle, of which only its rate. `transfers`: the tokens of those under way.
  // Sequencers outside of the loop have to be where they are.
  void show(base::StateVisitor& visitor, const SteadyLoop& loop,
            std::span<const std::uint64_t> transfers);
  // What an event means, in numbers, that is one of this.
  [[nodiscard]] std::optional<std::int64_t> meaning(const events::Handler& handler,
                                                    events::Message message) const;
  // Lets the counts of the loop run on as if so many turns had ended.
  void skip_turns(const SteadyLoop& loop, std::int64_t turns);
  [[nodiscard]] Throttle& throttle() { return paths_.throttle(); }

 private:
  enum What : std::uint32_t { look, commit, deliver };
  struct Spec {
    const isa::Program& program;
    const machine::Core& core;
    bool values = true;
    bool flow_reads_memory = false;
  };
  struct State {
    std::vector<std::uint64_t> executions;  // by instruction
    std::uint64_t executed = 0;
    WorkTotals work;
    base::Ticks end;
    std::optional<std::uint32_t> turn_ended;
  };

  void handle(events::Message message) override;
  [[nodiscard]] Sequencer& sequencer(isa::Engine engine) {
    return sequencers_[static_cast<std::size_t>(engine)];
  }
  // The number of an instruction's next run; of more than 2^32 runs its lower bits.
  [[nodiscard]] std::uint32_t iteration(std::uint32_t instruction) const {
    return static_cast<std::uint32_t>(state_.executions[instruction]);
  }
  void show(base::StateVisitor& visitor, Sequencer& unit, const SteadyLoop& loop,
            std::int64_t from);
  // The sequencer does all it can now.
  void advance(Sequencer& unit);
  [[nodiscard]] bool take_waits(Sequencer& unit, const isa::StreamItem& item,
                                const Operation& operation);
  void run_compute(Sequencer& unit, const isa::StreamItem& item, const Operation& operation);
  void run_transfer(Sequencer& unit, const isa::StreamItem& item, const Operation& operation);
  void run_control(Sequencer& unit, const isa::StreamItem& item, const Operation& operation);
  void run_barrier(Sequencer& unit, const isa::StreamItem& item, const Operation& operation);
  void leave_barrier(Sequencer& unit);
  void accepted(const Flight& flight, base::Ticks at);
  void land(std::uint32_t flight);
  void post(Sequencer& unit, std::uint32_t flight);
  // The item's result is there at `at`: values are applied, then its signals go out.
  void complete_at(Sequencer& unit, const isa::StreamItem& item, const Issued& one, base::Ticks at);
  void deliver_at(base::Ticks time, isa::Engine engine, const isa::StreamItem& item,
                  std::uint32_t position);
  void raise(isa::Engine engine, const isa::StreamItem& item);
  void wait_until(Sequencer& unit, base::Ticks time);
  // The item of a stream that the sequencer has passed is issued now.
  [[nodiscard]] Issued issue(const Sequencer& unit, const isa::StreamItem& item,
                             const Operation& operation) {
    return steps_.issue(item, unit.spec.engine, operation.is_dynamic, iteration(item.instruction),
                        queue_.now());
  }
  void follow(Sequencer& unit, std::uint32_t instruction);
  void require_data(std::uint32_t instruction, const void* record) const;
  void ended_by(base::Ticks time) { state_.end = std::max(state_.end, time); }

  Spec spec_;
  events::Queue& queue_;
  Steps steps_;
  State state_;
  std::vector<ControlFlow> flows_;  // by engine
  std::vector<Sequencer> sequencers_;
  Signals signals_;
  Operations operations_;
  DataPaths paths_;
  DmaIssue dma_;
  CoreMeetings meetings_;
  const SteadyLoops* steady_ = nullptr;
  std::uint64_t expected_ = 0;
};

}  // namespace trainyard::engines
