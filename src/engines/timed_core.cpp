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

}  // namespace

TimedCore::TimedCore(const isa::Program& program, isa::Execution& execution, events::Queue& queue,
                     const TimedOptions& options)
    : spec_{program, execution.machine, options.observer, options.values,
            isa::flow_reads_memory(program)},
      execution_(execution),
      queue_(queue),
      signals_(program, options.tracks),
      operations_(program, execution.machine),
      records_(program, execution),
      paths_(program, execution.machine),
      dma_(program, execution.machine, records_),
      meetings_({.program = program,
                 .core = execution.machine,
                 .execution = execution,
                 .queue = queue,
                 .records = records_,
                 .dma = dma_,
                 .told = *this,
                 .observer = options.observer,
                 .values = options.values},
                options.recorder, options.tracks.rings) {
  base::check(program.compiled, "a program is compiled before it is timed");
  state_.executions.assign(program.instructions.size(), 0);
  expected_ = expected_steps(program);
  flows_.reserve(program.streams.size());
  sequencers_.reserve(program.streams.size());
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    flows_.emplace_back(program, instructions_of(program.streams[e]));
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
           return unit.state == Sequencer::State::ended;
         });
}

std::vector<std::uint32_t> TimedCore::waits_at() const {
  std::vector<std::uint32_t> found;
  for (const Sequencer& unit : sequencers_) {
    if (unit.state == Sequencer::State::waiting_peer)
      found.push_back(unit.stream[unit.at() - 1].instruction);
  }
  const std::vector<std::uint32_t> flights = meetings_.waits_at();
  found.insert(found.end(), flights.begin(), flights.end());
  return found;
}

std::string TimedCore::where() const {
  const Sequencer* behind = nullptr;
  for (const Sequencer& unit : sequencers_) {
    if (unit.state == Sequencer::State::ended || unit.stream.empty()) continue;
    if (behind == nullptr || unit.instruction() < behind->instruction()) behind = &unit;
  }
  return behind == nullptr ? "" : behind->cursor.describe(behind->instruction());
}

void TimedCore::check_finished() const {
  std::vector<Stuck> stuck;
  for (const Sequencer& unit : sequencers_) {
    if (unit.state != Sequencer::State::ended) stuck.push_back({unit.engine, unit.at()});
  }
  if (stuck.empty()) return base::check(dma_.pending() == 0, "every transfer ends");
  throw_deadlock(spec_.program, signals_.counts(), stuck,
                 fmt::format("after {:.1f} ns", base::to_nanoseconds(queue_.now())));
}

void TimedCore::handle(events::Message message) {
  Sequencer& unit = sequencers_[message.what >> 8];
  switch (static_cast<What>(message.what & 0xFFu)) {
    case look: return advance(unit);
    case deliver: return raise(unit.engine, unit.stream[message.index]);
    case commit: {
      const Sequencer::Pending pending = unit.pending.front();
      unit.pending.pop_front();
      return execute(pending.instruction, unit.engine, pending.slot);
    }
  }
}

void TimedCore::wait_until(Sequencer& unit, Ticks time) {
  unit.state = Sequencer::State::running;
  queue_.at(time, *this, {message_of(look, unit.engine), 0}, events::Priority::late);
}

void TimedCore::advance(Sequencer& unit) {
  for (;;) {
    if (unit.at() == unit.stream.size()) {
      unit.state = Sequencer::State::ended;
      return ended_by(queue_.now());
    }
    const StreamItem& item = unit.stream[unit.at()];
    const Operation& operation = operations_.at(unit.engine, unit.at(), unit.cursor.in_loop());
    if (!take_waits(unit, item, operation)) return;
    const isa::Kind kind = operation.info->kind;
    const Ticks operands = unit.operands_at(item);
    Ticks ready = std::max(operands, unit.waits_checked);
    if (kind == isa::Kind::compute) ready = std::max(ready, unit.free_at);
    if (ready > queue_.now()) return wait_until(unit, ready);
    const std::uint32_t iteration = this->iteration(item.instruction);
    unit.account.until(unit.waits_checked, Reason::overhead, item.instruction, iteration);
    unit.account.until(std::min(operands, queue_.now()), Reason::waiting_operand, item.instruction,
                       iteration);
    unit.waits_taken = false;
    unit.cursor.pass();
    ++state_.executed;
    state_.work.add(unit.engine, operation.work);
    switch (kind) {
      case isa::Kind::compute:
        if (operation.is_barrier) return run_barrier(unit, item, operation);
        run_compute(unit, item, operation);
        break;
      case isa::Kind::dma: return run_transfer(unit, item, operation);
      case isa::Kind::control: return run_control(unit, item, operation);
    }
  }
}

bool TimedCore::take_waits(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  if (unit.waits_taken) return true;
  const std::span<const isa::Wait> waits = spec_.program.waits_of(item);
  if (const isa::Wait* missing = signals_.take(unit.engine, waits)) {
    unit.state = Sequencer::State::waiting_semaphore;
    unit.waits_for = missing->semaphore;
    return false;
  }
  if (spec_.observer != nullptr) spec_.observer->waited(unit.engine, waits);
  unit.waits_taken = true;
  unit.waits_checked = queue_.now() + checking_time(unit.engine, item, operation);
  if (unit.state == Sequencer::State::waiting_semaphore) {
    unit.state = Sequencer::State::running;
    const Signals::Source source = signals_.source(unit.waits_for);
    unit.account.until(queue_.now(),
                       source.is_dma ? Reason::waiting_dma : Reason::waiting_semaphore,
                       item.instruction, iteration(item.instruction), source.track);
  }
  return true;
}

// What a sequencer does between an instruction's waits and its start. An instruction waits for one
// semaphore itself, a matmul for two (its load and its move); others
// need semaphore instructions before it, which wait for two each. Source: the waits in public Trn2
// profiles.
Ticks TimedCore::checking_time(Engine engine, const StreamItem& item,
                               const Operation& operation) const {
  const int own = engine == Engine::tensor ? 2 : 1;
  if (operation.words == 0 && item.wait_count <= own) return Ticks{0};
  const Ticks address = isa::address_time(operation.words, engine, spec_.core);
  if (item.wait_count <= own) return address;
  const std::int64_t instructions = base::ceil_div(item.wait_count - own, 2);
  return address + spec_.core.engine(engine).sequencer.semaphore_operation * instructions;
}

void TimedCore::raise(Engine engine, const StreamItem& item) {
  if (spec_.observer != nullptr) spec_.observer->signalled(engine, item);
  signals_.raise(spec_.program.signals_of(item), [&](Engine waiting) {
    // It looks again in the order in which all sequencers look at this time.
    queue_.at(queue_.now(), *this, {message_of(look, waiting), 0}, events::Priority::late);
  });
}

void TimedCore::run_compute(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  const std::uint32_t instruction = item.instruction, iteration = this->iteration(instruction);
  std::uint32_t slot = ResolvedRecords::in_program;
  if (operation.is_dynamic) slot = records_.resolve(instruction, unit.engine);
  if (spec_.observer != nullptr) {
    spec_.observer->issued(unit.engine, item, records_.at(slot, instruction), iteration,
                           queue_.now());
  }
  const auto pass = [&](const Operation& now) {
    return paths_.run(unit.engine, instruction, now, queue_.now(), unit.free_at);
  };
  const DataPaths::Passage way =
      operation.is_dynamic ? pass(operations_.resolved(operation, unit.engine, instruction,
                                                       records_.at(slot, instruction)))
                           : pass(operation);
  for (const DataPaths::Passage::Phase& phase : way.phases)
    unit.account.until(phase.end, phase.reason, instruction, iteration);
  unit.free_at = way.free;
  ++state_.executions[instruction];
  // The last columns of a long matmul may be through the array after its results are said to be
  // there, where the clock limit is lifted on the way.
  ended_by(unit.account.at());
  complete_at(unit, item, slot, way.commit);
}

void TimedCore::complete_at(Sequencer& unit, const StreamItem& item, std::uint32_t slot, Ticks at) {
  // An engine's results come in the order of its instructions.
  at = unit.commit(at);
  ended_by(at);
  const auto position = static_cast<std::uint32_t>(unit.at() - 1);
  if (spec_.values) {
    unit.pending.push_back({item.instruction, slot});
    queue_.at(at, *this, {message_of(commit, unit.engine), position}, events::Priority::early);
  } else {
    records_.release(slot);
  }
  deliver_at(at + spec_.core.semaphores.engine_to_engine, unit.engine, item, position);
}

void TimedCore::deliver_at(Ticks time, Engine engine, const StreamItem& item,
                           std::uint32_t position) {
  if (item.signal_count > 0) queue_.at(time, *this, {message_of(deliver, engine), position});
}

void TimedCore::run_barrier(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  const std::uint32_t instruction = item.instruction;
  unit.met_slot = operation.is_dynamic ? records_.resolve(instruction, unit.engine)
                                       : ResolvedRecords::in_program;
  if (spec_.observer != nullptr) {
    spec_.observer->issued(unit.engine, item, records_.at(unit.met_slot, instruction),
                           iteration(instruction), queue_.now());
  }
  unit.state = Sequencer::State::waiting_peer;
  meetings_.arrive_at_barrier(unit.engine, instruction, unit.met_slot);
}

void TimedCore::leave_barrier(Sequencer& unit) {
  const StreamItem& item = unit.stream[unit.at() - 1];
  const std::uint32_t iteration = this->iteration(item.instruction);
  ++state_.executions[item.instruction];
  unit.account.until(queue_.now(), Reason::waiting_peer, item.instruction, iteration);
  const Operation operation = operations_.resolved(
      operations_.at(unit.engine, unit.at() - 1, unit.cursor.in_loop()), unit.engine,
      item.instruction, records_.at(unit.met_slot, item.instruction));
  unit.free_at = queue_.now() + operation.occupancy;
  unit.account.until(unit.free_at, Reason::overhead, item.instruction, iteration);
  complete_at(unit, item, unit.met_slot, queue_.now() + operation.latency);
  wait_until(unit, unit.free_at);
}

void TimedCore::run_transfer(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  const std::uint32_t instruction = item.instruction, iteration = this->iteration(instruction);
  Flight flight{.item = &item,
                .info = operation.info,
                .position = static_cast<std::uint32_t>(unit.at() - 1),
                .iteration = iteration,
                .issuer = unit.engine,
                .words = operation.words};
  if (operation.is_dynamic) flight.slot = records_.resolve(instruction, unit.engine);
  ++state_.executions[instruction];
  if (spec_.observer != nullptr)
    spec_.observer->issued(unit.engine, item, dma_.record(flight), iteration, queue_.now());
  unit.commits.push(unit.last_commit);
  const std::uint32_t id = dma_.begin(flight);
  if (flight.is_exchange()) return post(unit, id);
  unit.state = Sequencer::State::waiting_queue;
  dma_.move(id);
}

// The sequencer goes on when it has posted its exchange.
void TimedCore::post(Sequencer& unit, std::uint32_t id) {
  const Flight& flight = dma_[id];
  const base::Clock clock = spec_.core.engine(unit.engine).clock;
  const Ticks free =
      queue_.now() +
      clock(flight.info->cycles(dma_.record(flight), unit.engine, spec_.core).occupancy);
  unit.account.until(free, Reason::overhead, flight.item->instruction, flight.iteration);
  wait_until(unit, free);
  meetings_.post(id);
}

void TimedCore::send(const memory::TransferReply& reply) {
  const auto id = static_cast<std::uint32_t>(reply.token);
  const bool exchange = dma_[id].is_exchange();
  if (reply.what == memory::TransferReply::What::done)
    return exchange ? meetings_.moved(id) : land(id);
  if (!exchange) accepted(dma_[id], reply.time);
}

void TimedCore::accepted(const Flight& flight, Ticks at) {
  Sequencer& unit = sequencer(flight.issuer);
  const std::uint32_t instruction = flight.item->instruction;
  // Up to now the ring was full; from now on the trigger itself holds the sequencer.
  unit.account.until(queue_.now(), Reason::waiting_queue, instruction, flight.iteration);
  const Ticks next = at + spec_.core.engine(flight.issuer).sequencer.gap;
  unit.account.until(next, Reason::overhead, instruction, flight.iteration);
  wait_until(unit, next);
}

void TimedCore::land(std::uint32_t id) {
  const Flight flight = dma_[id];
  if (spec_.values) {
    execute(flight.item->instruction, flight.issuer, flight.slot);
  } else {
    records_.release(flight.slot);
  }
  dma_.land(id);
  ended_by(queue_.now());
  deliver_at(queue_.now() + spec_.core.dma.completion, flight.issuer, *flight.item,
             flight.position);
}

void TimedCore::send(const MeetingOver& over) {
  over.is_barrier ? leave_barrier(sequencers_[over.token]) : land(over.token);
}

void TimedCore::run_control(Sequencer& unit, const StreamItem& item, const Operation& operation) {
  const std::uint32_t instruction = item.instruction, iteration = this->iteration(instruction);
  std::uint32_t slot = ResolvedRecords::in_program;
  if (operation.is_dynamic) slot = records_.resolve(instruction, unit.engine);
  const void* record = records_.at(slot, instruction);
  const Ticks held =
      operation.is_dynamic
          ? operations_.resolved(operation, unit.engine, instruction, record).occupancy
          : operation.occupancy;
  const Ticks until = queue_.now() + held;
  ++state_.executions[instruction];
  if (spec_.observer != nullptr)
    spec_.observer->issued(unit.engine, item, record, iteration, queue_.now());
  if (!spec_.values && spec_.flow_reads_memory) require_data(instruction, record);
  execute(instruction, unit.engine, slot);
  unit.account.until(until, Reason::overhead, instruction, iteration);
  const Ticks committed = unit.commit(until);
  ended_by(until);
  deliver_at(committed + spec_.core.semaphores.engine_to_engine, unit.engine, item,
             static_cast<std::uint32_t>(unit.at() - 1));
  follow(unit, instruction);
  wait_until(unit, until);
}

// The sequencer's next item after a control instruction, the one before unit.at().
void TimedCore::follow(Sequencer& unit, std::uint32_t instruction) {
  const std::size_t passed = unit.at();
  std::size_t skipped = unit.cursor.follow(instruction, execution_, spec_.observer);
  if (steady_ != nullptr && unit.at() < passed) {
    if (const auto loop = steady_->closed_by(instruction, unit.engine)) state_.turn_ended = loop;
  }
  for (; skipped > 0; --skipped) unit.commits.push(unit.last_commit);
}

// Without values, a register that loops or branches may depend on can only be loaded from what the
// host put into HBM. Elsewhere registers hold addresses, on which no time depends: the first one
// will do.
void TimedCore::require_data(std::uint32_t instruction, const void* record) const {
  const isa::Program& program = spec_.program;
  bool known = true;
  isa::for_each_operand_tile(program.info_at(instruction), record,
                             [&](std::size_t, const isa::Tile& src, isa::Access access) {
                               if (!isa::reads(access)) return;
                               known = known && src.space == isa::Space::hbm &&
                                       execution_.core.hbm->written().all_written(
                                           execution_.hbm_base[src.tensor] + src.offset,
                                           src.element_bytes());
                             });
  if (known) return;
  throw NeedsValues(
      base::FaultCategory::unsupported,
      {"time.data", "a run without values knows every number that control flow depends on",
       program.place(instruction), "a register is loaded from memory that nothing has filled in",
       "run with values"});
}

void TimedCore::execute(std::uint32_t instruction, Engine engine, std::uint32_t slot) {
  ++state_.applied;
  const void* record = records_.at(slot, instruction);
  if (spec_.observer != nullptr) spec_.observer->apply(instruction, engine, record, queue_.now());
  execution_.engine = engine;
  execute_at(spec_.program, instruction, record, execution_);
  if (spec_.observer != nullptr) spec_.observer->applied(instruction, record);
  records_.release(slot);
}

}  // namespace trainyard::engines
