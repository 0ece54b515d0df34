#include "engines/timed_core.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "engines/deadlock.h"
#include "engines/needs_values.h"
#include "isa/core/control_flow.h"

namespace trainyard::engines {

using base::Ticks;
using isa::Engine;
using isa::StreamItem;
using trace::Reason;

namespace {

std::uint32_t message_of(std::uint32_t what, Engine engine) {
  return what | static_cast<std::uint32_t>(engine) << 8;
}

// What a sequencer does between an instruction's waits and its start. An instruction waits for one
// semaphore itself, a matmul for two (its load and its move); others
// need semaphore instructions before it, which wait for two each. Source: the waits in public Trn2
// profiles.
Ticks checking_time(Engine engine, const StreamItem& item, const Operation& operation,
                    const machine::Core& core) {
  const int own = engine == Engine::tensor ? 2 : 1;
  if (operation.words == 0 && item.wait_count <= own) return Ticks{0};
  const Ticks address = isa::address_time(operation.words, engine, core);
  if (item.wait_count <= own) return address;
  const std::int64_t instructions = base::ceil_div(item.wait_count - own, 2);
  return address + core.engine(engine).sequencer.semaphore_operation * instructions;
}

}  // namespace

TimedCore::TimedCore(const isa::Program& program, isa::Execution& execution, events::Queue& queue,
                     const TimedOptions& options)
    : spec_{program, execution.machine, options.values},
      queue_(queue),
      steps_(program, execution, options.observer),
      flows_(flows_of_streams(program, options.unknown_once ? isa::flows_by_memory(program)
                                                            : std::vector<std::uint32_t>{})),
      signals_(program, options.tracks),
      operations_(program, execution.machine),
      paths_(program, execution.machine),
      dma_(steps_, execution.machine),
      meetings_({.steps = steps_,
                 .core = execution.machine,
                 .queue = queue,
                 .dma = dma_,
                 .told = *this,
                 .values = options.values},
                options.recorder, options.tracks.rings) {
  state_.executions.assign(program.instructions.size(), 0);
  expected_ = expected_steps(program);
  spec_.flow_reads_memory = !options.unknown_once &&
                            !std::ranges::all_of(flows_, &ControlFlow::is_straight) &&
                            isa::flow_reads_memory(program);
  sequencers_.reserve(program.streams.size());
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    sequencers_.emplace_back(static_cast<Engine>(e), program.streams[e],
                             ControlCursor(program, flows_[e]),
                             TimeAccount(options.recorder, options.tracks.engines[e]));
  }
}

void TimedCore::connect(events::Port<memory::TransferRequest>& dma, MeetingPoint& meetings,
                        std::size_t core) {
  dma_.connect(dma);
  meetings_.connect(meetings, core);
}

void TimedCore::start() {
  base::check(dma_.is_connected(), "a core is connected before it starts");
  for (Sequencer& unit : sequencers_) wait_until(unit, queue_.now());
}

const TimeAccount& TimedCore::account(Engine engine) const {
  return sequencers_[static_cast<std::size_t>(engine)].account;
}

bool TimedCore::finished() const {
  return dma_.pending() == 0 && std::ranges::all_of(sequencers_, [](const Sequencer& unit) {
           return unit.state.phase == Sequencer::Phase::ended;
         });
}

std::vector<std::uint32_t> TimedCore::waits_at() const {
  std::vector<std::uint32_t> found;
  for (const Sequencer& unit : sequencers_) {
    if (unit.state.phase == Sequencer::Phase::waiting_peer)
      found.push_back(unit.spec.stream[unit.at() - 1].instruction);
  }
  const std::vector<std::uint32_t> flights = meetings_.waits_at();
  found.insert(found.end(), flights.begin(), flights.end());
  return found;
}

std::string TimedCore::where() const {
  const Sequencer* behind = nullptr;
  for (const Sequencer& unit : sequencers_) {
    if (unit.state.phase == Sequencer::Phase::ended || unit.spec.stream.empty()) continue;
    if (behind == nullptr || unit.instruction() < behind->instruction()) behind = &unit;
  }
  return behind == nullptr ? "" : behind->state.cursor.describe(behind->instruction());
}

void TimedCore::check_finished() const {
  std::vector<Stuck> stuck;
  for (const Sequencer& unit : sequencers_) {
    if (unit.state.phase != Sequencer::Phase::ended) stuck.push_back({unit.spec.engine, unit.at()});
  }
  if (stuck.empty()) return base::check(dma_.pending() == 0, "every transfer ends");
  throw_deadlock(spec_.program, signals_.counts(), stuck,
                 fmt::format("after {:.1f} ns", base::to_nanoseconds(queue_.now())));
}

void TimedCore::handle(events::Message message) {
  Sequencer& unit = sequencers_[message.what >> 8];
  switch (static_cast<What>(message.what & 0xFFu)) {
    case look: return advance(unit);
    case deliver: return raise(unit.spec.engine, unit.spec.stream[message.index]);
    case commit: {
      const Issued one = unit.state.pending.front();
      unit.state.pending.pop_front();
      return steps_.apply(one, queue_.now());
    }
  }
}

void TimedCore::wait_until(Sequencer& unit, Ticks time) {
  unit.state.phase = Sequencer::Phase::running;
  queue_.at(time, *this, {message_of(look, unit.spec.engine), 0}, events::Priority::late);
}

void TimedCore::advance(Sequencer& unit) {
  for (;;) {
    if (unit.at() == unit.spec.stream.size()) {
      unit.state.phase = Sequencer::Phase::ended;
      return ended_by(queue_.now());
    }
    const StreamItem& item = unit.spec.stream[unit.at()];
    const Operation& operation =
        operations_.at(unit.spec.engine, unit.at(), unit.state.cursor.in_loop());
    if (!unit.state.waits_taken && !take_waits(unit, item, operation)) return;
    const isa::Kind kind = operation.info->kind;
    const Ticks operands = unit.operands_at(item);
    Ticks ready = std::max(operands, unit.state.waits_checked);
    if (kind == isa::Kind::compute) ready = std::max(ready, unit.state.free_at);
    if (ready > queue_.now()) return wait_until(unit, ready);
    const std::uint32_t iteration = this->iteration(item.instruction);
    unit.account.until(unit.state.waits_checked, Reason::overhead, item.instruction, iteration);
    unit.account.until(std::min(operands, queue_.now()), Reason::waiting_operand, item.instruction,
                       iteration);
    unit.state.waits_taken = false;
    unit.state.cursor.pass();
    ++state_.executed;
    state_.work.add(unit.spec.engine, operation.work);
    switch (kind) {
      case isa::Kind::compute:
        if (operation.encounter != isa::Encounter::none) return run_barrier(unit, item, operation);
        run_compute(unit, item, operation);
        break;
      case isa::Kind::dma: return run_transfer(unit, item, operation);
      case isa::Kind::control: return run_control(unit, item, operation);
    }
  }
}

bool TimedCore::take_waits(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  const std::span<const isa::Wait> waits = spec_.program.waits_of(item);
  if (const isa::Wait* missing = signals_.take(unit.spec.engine, waits)) {
    unit.state.phase = Sequencer::Phase::waiting_semaphore;
    unit.state.waits_for = missing->semaphore;
    return false;
  }
  if (steps_.observer() != nullptr) steps_.observer()->waited(unit.spec.engine, waits);
  unit.state.waits_taken = true;
  unit.state.waits_checked =
      queue_.now() + checking_time(unit.spec.engine, item, operation, spec_.core);
  if (unit.state.phase == Sequencer::Phase::waiting_semaphore) {
    unit.state.phase = Sequencer::Phase::running;
    const Signals::Source source = signals_.source(unit.state.waits_for);
    unit.account.until(queue_.now(),
                       source.is_dma ? Reason::waiting_dma : Reason::waiting_semaphore,
                       item.instruction, iteration(item.instruction), source.track);
  }
  return true;
}

void TimedCore::raise(Engine engine, const StreamItem& item) {
  if (steps_.observer() != nullptr) steps_.observer()->signalled(engine, item);
  signals_.raise(spec_.program.signals_of(item), [&](Engine waiting) {
    // It looks again in the order in which all sequencers look at this time.
    queue_.at(queue_.now(), *this, {message_of(look, waiting), 0}, events::Priority::late);
  });
}

void TimedCore::run_compute(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  const std::uint32_t instruction = item.instruction, iteration = this->iteration(instruction);
  const Issued one = issue(unit, item, operation);
  const auto pass = [&](const Operation& now) {
    return paths_.run(unit.spec.engine, instruction, now, queue_.now(), unit.state.free_at);
  };
  const DataPaths::Passage way =
      operation.is_dynamic
          ? pass(operations_.resolved(operation, unit.spec.engine, instruction, steps_.record(one)))
          : pass(operation);
  for (const DataPaths::Passage::Phase& phase : way.phases)
    unit.account.until(phase.end, phase.reason, instruction, iteration);
  unit.state.free_at = way.free;
  ++state_.executions[instruction];
  // The last columns of a long matmul may be through the array after its results are said to be
  // there, where the clock limit is lifted on the way.
  ended_by(unit.account.at());
  complete_at(unit, item, one, way.commit);
}

void TimedCore::complete_at(Sequencer& unit, const StreamItem& item, const Issued& one, Ticks at) {
  // An engine's results come in the order of its instructions.
  at = unit.commit(at);
  ended_by(at);
  const auto position = static_cast<std::uint32_t>(unit.at() - 1);
  if (spec_.values) {
    unit.state.pending.push_back(one);
    queue_.at(at, *this, {message_of(commit, unit.spec.engine), position}, events::Priority::early);
  } else {
    steps_.drop(one);
  }
  deliver_at(at + spec_.core.semaphores.engine_to_engine, unit.spec.engine, item, position);
}

void TimedCore::deliver_at(Ticks time, Engine engine, const StreamItem& item,
                           std::uint32_t position) {
  if (item.signal_count > 0) queue_.at(time, *this, {message_of(deliver, engine), position});
}

void TimedCore::run_barrier(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  unit.state.barrier = issue(unit, item, operation);
  unit.state.phase = Sequencer::Phase::waiting_peer;
  meetings_.arrive_at_barrier(unit.state.barrier);
}

void TimedCore::leave_barrier(Sequencer& unit) {
  const StreamItem& item = unit.spec.stream[unit.at() - 1];
  const std::uint32_t iteration = this->iteration(item.instruction);
  ++state_.executions[item.instruction];
  unit.account.until(queue_.now(), Reason::waiting_peer, item.instruction, iteration);
  const Operation operation = operations_.resolved(
      operations_.at(unit.spec.engine, unit.at() - 1, unit.state.cursor.in_loop()),
      unit.spec.engine, item.instruction, steps_.record(unit.state.barrier));
  unit.state.free_at = queue_.now() + operation.occupancy;
  unit.account.until(unit.state.free_at, Reason::overhead, item.instruction, iteration);
  complete_at(unit, item, unit.state.barrier, queue_.now() + operation.latency);
  wait_until(unit, unit.state.free_at);
}

void TimedCore::run_transfer(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  const Flight flight{.item = &item,
                      .info = operation.info,
                      .issued = issue(unit, item, operation),
                      .position = static_cast<std::uint32_t>(unit.at() - 1),
                      .iteration = iteration(item.instruction),
                      .words = operation.words,
                      .maker = operation.maker,
                      .is_exchange = operation.encounter != isa::Encounter::none};
  ++state_.executions[item.instruction];
  unit.state.commits.push(unit.state.last_commit);
  const std::uint32_t id = dma_.begin(flight);
  if (flight.is_exchange) return post(unit, id);
  unit.state.phase = Sequencer::Phase::waiting_queue;
  dma_.move(id);
}

// The sequencer goes on when it has posted its exchange.
void TimedCore::post(Sequencer& unit, std::uint32_t id) {
  const Flight& flight = dma_[id];
  const Ticks free = queue_.now() + isa::trigger_time(flight.maker, unit.spec.engine, spec_.core);
  unit.account.until(free, Reason::overhead, flight.issued.instruction, flight.iteration);
  wait_until(unit, free);
  meetings_.post(id);
}

void TimedCore::send(const memory::TransferReply& reply) {
  const auto id = static_cast<std::uint32_t>(reply.token);
  const bool exchange = dma_[id].is_exchange;
  if (reply.what == memory::TransferReply::What::done)
    return exchange ? meetings_.moved(id) : land(id);
  if (!exchange) accepted(dma_[id], reply.time);
}

void TimedCore::accepted(const Flight& flight, Ticks at) {
  Sequencer& unit = sequencer(flight.issued.engine);
  const std::uint32_t instruction = flight.issued.instruction;
  // Up to now the ring was full; from now on the trigger itself holds the sequencer.
  unit.account.until(queue_.now(), Reason::waiting_queue, instruction, flight.iteration);
  const Ticks next = at + spec_.core.engine(flight.issued.engine).sequencer.gap;
  unit.account.until(next, Reason::overhead, instruction, flight.iteration);
  wait_until(unit, next);
}

void TimedCore::land(std::uint32_t id) {
  const Flight flight = dma_[id];
  spec_.values ? steps_.apply(flight.issued, queue_.now()) : steps_.drop(flight.issued);
  dma_.land(id);
  ended_by(queue_.now());
  deliver_at(queue_.now() + spec_.core.dma.completion, flight.issued.engine, *flight.item,
             flight.position);
}

void TimedCore::send(const MeetingOver& over) {
  over.is_barrier ? leave_barrier(sequencers_[over.token]) : land(over.token);
}

void TimedCore::run_control(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  const std::uint32_t instruction = item.instruction, iteration = this->iteration(instruction);
  const Issued one = issue(unit, item, operation);
  const void* record = steps_.record(one);
  const Ticks held =
      operation.is_dynamic
          ? operations_.resolved(operation, unit.spec.engine, instruction, record).occupancy
          : operation.occupancy;
  const Ticks until = queue_.now() + held;
  ++state_.executions[instruction];
  if (!spec_.values && spec_.flow_reads_memory) require_data(instruction, record);
  steps_.apply(one, queue_.now());
  unit.account.until(until, Reason::overhead, instruction, iteration);
  const Ticks committed = unit.commit(until);
  ended_by(until);
  deliver_at(committed + spec_.core.semaphores.engine_to_engine, unit.spec.engine, item,
             static_cast<std::uint32_t>(unit.at() - 1));
  follow(unit, instruction);
  wait_until(unit, until);
}

// The sequencer's next item after a control instruction, the one before unit.at().
void TimedCore::follow(Sequencer& unit, std::uint32_t instruction) {
  const std::size_t passed = unit.at();
  std::size_t skipped =
      unit.state.cursor.follow(instruction, steps_.execution(), steps_.observer());
  if (steady_ != nullptr && unit.at() < passed) {
    if (const auto loop = steady_->closed_by(instruction, unit.spec.engine))
      state_.turn_ended = loop;
  }
  for (; skipped > 0; --skipped) unit.state.commits.push(unit.state.last_commit);
}

// Without values, a register that loops or branches may depend on can only be loaded from what the
// host put into HBM. Elsewhere registers hold addresses, on which no time depends: the first one
// will do.
void TimedCore::require_data(std::uint32_t instruction, const void* record) const {
  const isa::Program& program = spec_.program;
  const isa::Execution& execution = steps_.execution();
  bool known = true;
  isa::for_each_operand_tile(program.info_at(instruction), record,
                             [&](std::size_t, const isa::Tile& src, isa::Access access) {
                               if (!isa::reads(access)) return;
                               known = known && src.space == isa::Space::hbm &&
                                       execution.core.hbm->written().all_written(
                                           execution.hbm_base[src.tensor] + src.offset,
                                           src.element_bytes());
                             });
  if (known) return;
  throw NeedsValues(
      base::FaultCategory::unsupported,
      {"time.data", "a run without values knows every number that control flow depends on",
       program.place(instruction), "a register is loaded from memory that nothing has filled in",
       "run with values"});
}

}  // namespace trainyard::engines
