// One core in time: five sequencers that walk their streams, wait for semaphores, occupy their data
// paths and trigger DMA transfers; events decide when. It asks instructions what they cost and,
// where values are wanted, applies them when they complete; the memory side answers through ports.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/banks.h"
#include "engines/checkers/checkers.h"
#include "engines/control_flow.h"
#include "engines/decoded.h"
#include "engines/meeting_point.h"
#include "engines/operation.h"
#include "engines/semaphores.h"
#include "engines/steady_loops.h"
#include "engines/tensor_pipe.h"
#include "engines/time_account.h"
#include "events/port.h"
#include "events/queue.h"
#include "isa/cost/transfer.h"
#include "isa/semantics/execution.h"
#include "trace/recorder.h"

namespace trainyard::engines {

// The tracks a core is recorded on.
struct CoreTracks {
  std::array<trace::TrackId, isa::engine_count> engines{
      trace::no_track, trace::no_track, trace::no_track, trace::no_track, trace::no_track};
  std::vector<trace::TrackId> rings;  // the DMA queues, as causes of waits
};

struct TimedOptions {
  bool values = true;  // apply instructions to the core's state; time does not depend on it
  trace::Recorder* recorder = nullptr;
  Checkers* checkers = nullptr;  // may watch, and only where values are applied
  CoreTracks tracks;
};

class TimedCore final : public events::Port<isa::TransferReply>,
                        public events::Port<Met>,
                        private events::Handler {
 public:
  // The program must be compiled. Everything referred to must outlive this. Without values, only
  // control instructions touch the execution's state.
  TimedCore(const isa::Program& program, isa::Execution& execution, events::Queue& queue,
            TimedOptions options);
  ~TimedCore();

  // Where transfers go, and where this core, the given one of the run, meets the others. Once,
  // before start().
  void connect(events::Port<isa::TransferRequest>& dma, MeetingPoint& meetings, std::size_t core);
  // All sequencers begin now.
  void start();
  // From the DMA engines.
  void send(const isa::TransferReply& reply) override;
  // From the meeting point.
  void send(const Met& met) override;

  // Every stream has ended and every transfer is done.
  [[nodiscard]] bool finished() const;
  // The instructions at which it waits for other cores.
  [[nodiscard]] std::vector<std::uint32_t> waits_at() const;
  // Throws Fault deadlock unless finished: no event is left, so nothing will ever change.
  void check_finished() const;

  // The end of the last work so far.
  [[nodiscard]] base::Ticks end() const { return end_; }
  [[nodiscard]] const TimeAccount& account(isa::Engine engine) const;
  // How often each instruction ran.
  [[nodiscard]] const std::vector<std::uint64_t>& executions() const { return executions_; }
  [[nodiscard]] std::uint64_t executed() const { return executed_; }
  // How many will have run at the end; 0 where only the run can tell.
  [[nodiscard]] std::uint64_t expected() const { return expected_; }
  // The engine that is furthest behind, and where it is.
  [[nodiscard]] std::string where() const;
  // Of these, the ones whose values are there; zero without values.
  [[nodiscard]] std::uint64_t applied() const { return applied_; }
  // Time in which the tensor engine's clock was limited.
  [[nodiscard]] base::Ticks throttled() const { return pipe_.throttle().limited(); }

  // Tells of the turns of these loops from now on; they must outlive this.
  void tell_turns(const SteadyLoops& loops) { steady_ = &loops; }
  // The loop a turn of which has just ended on its pilot, another one following; once.
  [[nodiscard]] std::optional<std::uint32_t> turn_ended() {
    return std::exchange(turn_ended_, std::nullopt);
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
  [[nodiscard]] Throttle& throttle() { return pipe_.throttle(); }

 private:
  enum What : std::uint32_t { look, commit, deliver, moved, set_off };
  struct Unit;
  struct Flight;

  void handle(events::Message message) override;
  // The number of an instruction's next run; of more than 2^32 runs its lower bits.
  [[nodiscard]] std::uint32_t iteration(std::uint32_t instruction) const {
    return static_cast<std::uint32_t>(executions_[instruction]);
  }
  void show(base::StateVisitor& visitor, Unit& unit, const SteadyLoop& loop, std::int64_t from);
  // The sequencer of `unit` does all it can now.
  void advance(Unit& unit);
  [[nodiscard]] bool take_waits(Unit& unit, const isa::StreamItem& item);
  [[nodiscard]] base::Ticks checking_time(isa::Engine engine, const isa::StreamItem& item) const;
  [[nodiscard]] base::Ticks operands_at(const Unit& unit, const isa::StreamItem& item) const;
  void run_compute(Unit& unit, const isa::StreamItem& item);
  void run_transfer(Unit& unit, const isa::StreamItem& item);
  void run_control(Unit& unit, const isa::StreamItem& item);
  void run_barrier(Unit& unit, const isa::StreamItem& item);
  void leave_barrier(Unit& unit);
  // A transfer is on its way from its trigger on: `iteration` counts up.
  [[nodiscard]] std::uint32_t new_flight(const Unit& unit, const isa::StreamItem& item);
  void move_bytes(std::uint32_t flight);
  void accepted(const Flight& flight, base::Ticks at);
  void land(std::uint32_t flight);
  // An exchange between cores, or a collective: posted, begun when the others have posted their
  // own, moved, ended when the others have moved their own. The collectives of a channel come one
  // after the other.
  void post(Unit& unit, std::uint32_t flight);
  // GpSimd's own DMA does it.
  [[nodiscard]] bool moves_itself(std::uint32_t exchange) const;
  [[nodiscard]] bool is_collective(const Flight& flight) const;
  void attend(std::uint32_t flight);
  void begin_exchange(std::uint32_t flight);
  // A collective waits for its latency, then its bytes move, a packet an engine at a time, so that
  // other transfers come in between.
  void begin_collective(std::uint32_t flight);
  void move_packets(std::uint32_t flight);
  void end_collective(std::uint32_t flight);
  struct Line;
  [[nodiscard]] Line& line_of(const Flight& flight);
  void exchange_moved(std::uint32_t flight);
  [[nodiscard]] isa::Attendant attendant(std::uint32_t instruction, std::uint32_t slot);
  // Both return when the result is committed.
  base::Ticks run_stream(Unit& unit, std::uint32_t instruction, const Operation& operation);
  base::Ticks run_array(Unit& unit, std::uint32_t instruction, const Operation& operation);
  // The item's result is there at `at`: values are applied, then its signals go out.
  void complete_at(Unit& unit, const isa::StreamItem& item, std::uint32_t slot, base::Ticks at);
  void raise(isa::Engine engine, const isa::StreamItem& item);
  void wait_until(Unit& unit, base::Ticks time);
  void follow(Unit& unit, std::uint32_t instruction);
  void require_data(std::uint32_t instruction, const void* record) const;
  void execute(std::uint32_t instruction, isa::Engine engine, std::uint32_t slot);
  [[nodiscard]] const Operation& operation(std::uint32_t instruction, isa::Engine engine,
                                           const void* record);
  [[nodiscard]] bool reuses_loaded(std::uint32_t instruction, const isa::Tile* stationary);
  // Resolves the run-time addresses of a record into a slot of its own; `in_program` when it has
  // none.
  [[nodiscard]] std::uint32_t resolve(std::uint32_t instruction, isa::Engine engine);
  [[nodiscard]] const void* record_in(std::uint32_t slot, std::uint32_t instruction) const;
  void release(std::uint32_t slot);

  const isa::Program& program_;
  isa::Execution& execution_;
  const machine::Core& core_;
  events::Queue& queue_;
  events::Port<isa::TransferRequest>* dma_ = nullptr;
  MeetingPoint* meetings_ = nullptr;
  std::size_t core_index_ = 0;
  TimedOptions options_;
  std::vector<Decoded> decoded_;
  std::vector<Operation> operations_;
  std::vector<std::uint64_t> executions_;
  Semaphores semaphores_;
  std::vector<std::uint8_t> waiting_;      // by semaphore: bit mask of engines
  std::vector<trace::TrackId> raised_by_;  // by semaphore
  std::vector<bool> raised_by_dma_;        // by semaphore
  std::vector<ControlFlow> flows_;         // by engine
  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_flights_;
  std::vector<std::unique_ptr<RecordBuffer>> records_;  // resolved ones, until they are applied
  std::vector<std::uint32_t> free_records_;
  std::vector<Line> lines_;  // by channel of collectives
  std::size_t transfers_pending_ = 0;
  base::Ticks gpsimd_dma_free_;
  TensorPipe pipe_;
  PsumBanks banks_;
  SbufBus bus_;
  TableSet loaded_tables_ = TableSet::none_loaded;
  bool flow_reads_memory_;
  const SteadyLoops* steady_ = nullptr;
  std::optional<std::uint32_t> turn_ended_;
  std::uint32_t loaded_by_;  // the instruction whose stationary operand is in the array
  base::Ticks end_;
  std::uint64_t executed_ = 0, expected_ = 0;
  std::uint64_t applied_ = 0;
};

}  // namespace trainyard::engines
