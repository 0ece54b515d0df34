#include "engines/timed_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "engines/deadlock.h"
#include "engines/timed_core_parts.h"
#include "isa/core/control_flow.h"

namespace trainyard::engines {

using base::Ticks;
using isa::Engine;
using isa::StreamItem;
using trace::Reason;

TimedCore::TimedCore(const isa::Program& program, isa::Execution& execution, events::Queue& queue,
                     TimedOptions options)
    : program_(program),
      execution_(execution),
      core_(execution.machine),
      queue_(queue),
      options_(std::move(options)),
      decoded_(decode(program)),
      operations_(program.instructions.size()),
      executions_(program.instructions.size(), 0),
      semaphores_(program.semaphore_count),
      waiting_(program.semaphore_count, 0),
      raised_by_(program.semaphore_count, trace::no_track),
      raised_by_dma_(program.semaphore_count, false),
      pipe_(core_),
      banks_(core_.psum, core_.vector.clock),
      bus_(core_.sbuf),
      flow_reads_memory_(isa::flow_reads_memory(program)),
      loaded_by_(no_one) {
  base::check(program.compiled, "a program is compiled before it is timed");
  expected_ = expected_steps(program);
  for (const std::vector<StreamItem>& stream : program.streams)
    flows_.emplace_back(program, instructions_of(stream));
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    const auto engine = static_cast<Engine>(e);
    units_.push_back(
        std::make_unique<Unit>(engine, program.streams[e], ControlCursor(program, flows_[e]),
                               TimeAccount(options_.recorder, options_.tracks.engines[e])));
    for (const StreamItem& item : program.streams[e]) {
      units_.back()->commits_needed = std::max(units_.back()->commits_needed, item.depends_back);
      const isa::Instruction& instruction = program.instructions[item.instruction];
      const bool transfer = program.info_at(item.instruction).kind == isa::Kind::dma;
      for (const isa::Signal& signal : program.signals_of(item)) {
        raised_by_dma_[signal.semaphore] = transfer;
        if (!transfer) {
          raised_by_[signal.semaphore] = options_.tracks.engines[e];
        } else if (instruction.queue < options_.tracks.rings.size()) {
          raised_by_[signal.semaphore] = options_.tracks.rings[instruction.queue];
        }
      }
    }
  }
  for (std::size_t queue = isa::collective_queue_first; queue < isa::queue_count; ++queue) {
    const auto& rings = options_.tracks.rings;
    const trace::TrackId track = queue < rings.size() ? rings[queue] : trace::no_track;
    lines_.push_back(
        {{}, TimeAccount(track == trace::no_track ? nullptr : options_.recorder, track)});
  }
}

TimedCore::~TimedCore() = default;

void TimedCore::connect(events::Port<isa::TransferRequest>& dma, MeetingPoint& meetings,
                        std::size_t core) {
  dma_ = &dma;
  meetings_ = &meetings;
  core_index_ = core;
  meetings.join(core, *this);
}

void TimedCore::start() {
  base::check(dma_ != nullptr, "a core is connected before it starts");
  for (const std::unique_ptr<Unit>& unit : units_) wait_until(*unit, queue_.now());
}

const TimeAccount& TimedCore::account(Engine engine) const {
  return units_[static_cast<std::size_t>(engine)]->account;
}

bool TimedCore::finished() const {
  return transfers_pending_ == 0 && std::all_of(units_.begin(), units_.end(), [](const auto& unit) {
           return unit->state == Unit::State::ended;
         });
}

void TimedCore::check_finished() const {
  std::vector<Stuck> stuck;
  for (const std::unique_ptr<Unit>& unit : units_) {
    if (unit->state != Unit::State::ended) stuck.push_back({unit->engine, unit->at});
  }
  if (stuck.empty()) return base::check(transfers_pending_ == 0, "every transfer ends");
  throw_deadlock(program_, semaphores_, stuck,
                 fmt::format("after {:.1f} ns", base::to_nanoseconds(queue_.now())));
}

void TimedCore::handle(events::Message message) {
  Unit& unit = *units_[message.what >> 8];
  switch (static_cast<What>(message.what & 0xFFu)) {
    case look: return advance(unit);
    case deliver: return raise(unit.engine, unit.stream[message.index]);
    case moved: return exchange_moved(message.index);
    case set_off: return move_packets(message.index);
    case commit: {
      const Unit::Pending pending = unit.pending.front();
      unit.pending.pop_front();
      execute(pending.instruction, unit.engine, pending.slot);
      return;
    }
  }
}

void TimedCore::wait_until(Unit& unit, Ticks time) {
  unit.state = Unit::State::running;
  queue_.at(time, *this, {message_of(look, unit.engine), 0}, events::Priority::late);
}

void TimedCore::advance(Unit& unit) {
  for (;;) {
    if (unit.at == unit.stream.size()) {
      unit.state = Unit::State::ended;
      end_ = std::max(end_, queue_.now());
      return;
    }
    const StreamItem& item = unit.stream[unit.at];
    if (!take_waits(unit, item)) return;
    const isa::Kind kind = decoded_[item.instruction].info->kind;
    const Ticks operands = operands_at(unit, item);
    Ticks ready = std::max(operands, unit.waits_checked);
    if (kind == isa::Kind::compute) ready = std::max(ready, unit.free_at);
    if (ready > queue_.now()) return wait_until(unit, ready);
    unit.account.until(unit.waits_checked, Reason::overhead, item.instruction,
                       iteration(item.instruction));
    unit.account.until(std::min(operands, queue_.now()), Reason::waiting_operand, item.instruction,
                       iteration(item.instruction));
    unit.waits_taken = false;
    ++unit.at;
    ++executed_;
    switch (kind) {
      case isa::Kind::compute:
        if (decoded_[item.instruction].info->encounter(decoded_[item.instruction].record) ==
            isa::Encounter::barrier)
          return run_barrier(unit, item);
        run_compute(unit, item);
        break;
      case isa::Kind::dma: run_transfer(unit, item); return;
      case isa::Kind::control: run_control(unit, item); return;
    }
  }
}

bool TimedCore::take_waits(Unit& unit, const StreamItem& item) {
  if (unit.waits_taken) return true;
  const isa::Wait* missing = semaphores_.missing(program_.waits_of(item));
  if (missing != nullptr) {
    unit.state = Unit::State::waiting_semaphore;
    unit.waits_for = missing->semaphore;
    waiting_[missing->semaphore] |=
        static_cast<std::uint8_t>(1u << static_cast<unsigned>(unit.engine));
    return false;
  }
  semaphores_.take(program_.waits_of(item));
  if (options_.checkers != nullptr) options_.checkers->waited(unit.engine, program_.waits_of(item));
  unit.waits_taken = true;
  unit.waits_checked = queue_.now() + checking_time(unit.engine, item);
  if (unit.state == Unit::State::waiting_semaphore) {
    unit.state = Unit::State::running;
    unit.account.until(
        queue_.now(),
        raised_by_dma_[unit.waits_for] ? Reason::waiting_dma : Reason::waiting_semaphore,
        item.instruction, iteration(item.instruction), raised_by_[unit.waits_for]);
  }
  return true;
}

// What a sequencer does between an instruction's waits and its start. An instruction waits for one
// semaphore itself, a matmul for two (its load and its move); others
// need semaphore instructions before it, which wait for two each. Source: the waits in public Trn2
// profiles.
Ticks TimedCore::checking_time(Engine engine, const StreamItem& item) const {
  const Ticks address = isa::address_time(decoded_[item.instruction].words, engine, core_);
  const int own = engine == Engine::tensor ? 2 : 1;
  if (item.wait_count <= own) return address;
  const std::int64_t instructions = base::ceil_div(item.wait_count - own, 2);
  return address + core_.engine(engine).sequencer.semaphore_operation * instructions;
}

Ticks TimedCore::operands_at(const Unit& unit, const StreamItem& item) const {
  return item.depends_back == 0 ? Ticks{0} : unit.commits.back(item.depends_back);
}

void TimedCore::raise(Engine engine, const StreamItem& item) {
  if (options_.checkers != nullptr) options_.checkers->signalled(engine, item);
  for (const isa::Signal& signal : program_.signals_of(item)) semaphores_.add(signal);
  for (const isa::Signal& signal : program_.signals_of(item)) {
    std::uint8_t& waiting = waiting_[signal.semaphore];
    for (std::uint8_t rest = std::exchange(waiting, std::uint8_t{0}); rest != 0;
         rest = static_cast<std::uint8_t>(rest & (rest - 1))) {
      Unit& unit = *units_[static_cast<std::size_t>(std::countr_zero(rest))];
      // It looks again in the order in which all sequencers look at this time.
      queue_.at(queue_.now(), *this, {message_of(look, unit.engine), 0}, events::Priority::late);
    }
  }
}

const Operation& TimedCore::operation(std::uint32_t instruction, Engine engine,
                                      const void* record) {
  Operation& known = operations_[instruction];
  const Decoded& decoded = decoded_[instruction];
  if (!known.known || decoded.is_dynamic) known = operation_of(decoded, record, engine, core_);
  return known;
}

void TimedCore::run_compute(Unit& unit, const StreamItem& item) {
  const std::uint32_t slot = resolve(item.instruction, unit.engine);
  const void* record = record_in(slot, item.instruction);
  if (options_.checkers != nullptr) {
    options_.checkers->issued(unit.engine, item, record, iteration(item.instruction), queue_.now());
  }
  const Operation& operation = this->operation(item.instruction, unit.engine, record);
  const Ticks committed = operation.passes.count > 0
                              ? run_array(unit, item.instruction, operation)
                              : run_stream(unit, item.instruction, operation);
  ++executions_[item.instruction];
  // The last columns of a long matmul may be through the array after its results are said to be
  // there, where the clock limit is lifted on the way.
  end_ = std::max(end_, unit.account.at());
  complete_at(unit, item, slot, committed);
}

Ticks TimedCore::run_stream(Unit& unit, std::uint32_t instruction, const Operation& operation) {
  const std::uint32_t iteration = this->iteration(instruction);
  TimeAccount& account = unit.account;
  Ticks start = queue_.now();
  if (operation.tables != TableSet::any && operation.tables != loaded_tables_) {
    // A load waits for nothing but the instruction before it: compilers put it in front of the
    // waits of the first function that needs the tables (seen in public traces of Trn2).
    loaded_tables_ = operation.tables;
    start = std::max(start, unit.free_at + core_.scalar_rates.table_load);
    account.until(start, Reason::overhead, instruction, iteration);
  }
  Ticks extra{0};
  if (const BankMask banks = operation.psum_read | operation.psum_written; banks != 0) {
    const Sharing sharing = banks_.use(unit.engine, banks, start, operation.occupancy);
    start = sharing.start;
    extra += sharing.extra;
  }
  if (operation.uses_bus) {
    const Sharing sharing = bus_.use(unit.engine, start, operation.occupancy);
    start = sharing.start;
    extra += sharing.extra;
  }
  account.until(start, Reason::waiting_bank, instruction, iteration);
  const Ticks worked = start + operation.occupancy;
  account.until(worked, Reason::working, instruction, iteration);
  account.until(worked + extra, Reason::waiting_bank, instruction, iteration);
  unit.free_at = worked + extra;
  return start + operation.latency + extra;
}

bool TimedCore::reuses_loaded(std::uint32_t instruction, const isa::Tile* stationary) {
  const std::uint32_t loaded = std::exchange(loaded_by_, instruction);
  if (stationary == nullptr || loaded == no_one || loaded >= instruction) return false;
  const isa::Tile* before = operations_[loaded].stationary;
  if (before == nullptr || stationary->dynamic != 0 || !(*before == *stationary)) return false;
  // Anything written in between might be the operand.
  for (std::uint32_t i = loaded + 1; i < instruction; ++i) {
    bool overwritten = false;
    program_.for_each_tile(
        i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
          overwritten = overwritten || (isa::writes(access) && tile.tensor == stationary->tensor);
        });
    if (overwritten) return false;
  }
  return true;
}

Ticks TimedCore::run_array(Unit& unit, std::uint32_t instruction, const Operation& operation) {
  const std::uint32_t iteration = this->iteration(instruction);
  const bool reuses = reuses_loaded(instruction, operation.stationary);
  const TensorPipe::Plan plan = pipe_.run(queue_.now(), operation.passes, reuses);
  unit.account.until(plan.begin, Reason::waiting_operand, instruction, iteration);
  unit.account.until(plan.worked, Reason::working, instruction, iteration);
  unit.account.until(plan.end, Reason::throttle, instruction, iteration);
  banks_.write(operation.psum_written, plan.end);
  unit.free_at = plan.next;
  return plan.commit;
}

void TimedCore::complete_at(Unit& unit, const StreamItem& item, std::uint32_t slot, Ticks at) {
  // An engine's results come in the order of its instructions.
  at = std::max(at, unit.last_commit);
  unit.last_commit = at;
  unit.commits.push(at);
  end_ = std::max(end_, at);
  const auto position = static_cast<std::uint32_t>(unit.at - 1);
  if (options_.values) {
    unit.pending.push_back({item.instruction, slot});
    queue_.at(at, *this, {message_of(commit, unit.engine), position}, events::Priority::early);
  } else {
    release(slot);
  }
  if (item.signal_count > 0)
    queue_.at(at + core_.semaphores.engine_to_engine, *this,
              {message_of(deliver, unit.engine), position});
}

std::uint32_t TimedCore::resolve(std::uint32_t instruction, Engine engine) {
  const Decoded& decoded = decoded_[instruction];
  if (!decoded.is_dynamic) return in_program;
  if (free_records_.empty()) {
    free_records_.push_back(static_cast<std::uint32_t>(records_.size()));
    records_.push_back(std::make_unique<RecordBuffer>());
  }
  const std::uint32_t slot = free_records_.back();
  free_records_.pop_back();
  resolve_at(program_, instruction, engine, execution_, records_[slot]->bytes);
  return slot;
}

const void* TimedCore::record_in(std::uint32_t slot, std::uint32_t instruction) const {
  return slot == in_program ? decoded_[instruction].record : records_[slot]->bytes;
}

void TimedCore::release(std::uint32_t slot) {
  if (slot != in_program) free_records_.push_back(slot);
}

std::uint32_t TimedCore::new_flight(const Unit& unit, const StreamItem& item) {
  std::uint32_t id = 0;
  if (free_flights_.empty()) {
    id = static_cast<std::uint32_t>(flights_.size());
    flights_.emplace_back();
  } else {
    id = free_flights_.back();
    free_flights_.pop_back();
  }
  Flight& flight = flights_[id];
  flight = {};
  flight.item = &item;
  flight.issuer = unit.engine;
  flight.position = unit.at - 1;
  flight.slot = resolve(item.instruction, unit.engine);
  flight.iteration = iteration(item.instruction);
  ++executions_[item.instruction];
  const isa::InstructionInfo* info = decoded_[item.instruction].info;
  if (info->meeting != nullptr) flight.exchange = info;
  return id;
}

void TimedCore::run_transfer(Unit& unit, const StreamItem& item) {
  const std::uint32_t id = new_flight(unit, item);
  if (options_.checkers != nullptr) {
    options_.checkers->issued(unit.engine, item, record_in(flights_[id].slot, item.instruction),
                              flights_[id].iteration, queue_.now());
  }
  ++transfers_pending_;
  unit.commits.push(unit.last_commit);
  if (flights_[id].exchange != nullptr) return post(unit, id);
  unit.state = Unit::State::waiting_queue;
  move_bytes(id);
}

void TimedCore::move_bytes(std::uint32_t id) {
  const Flight& flight = flights_[id];
  const std::uint32_t instruction = flight.item->instruction;
  isa::TransferRequest request;
  request.shape =
      isa::transfer_of(*decoded_[instruction].info, record_in(flight.slot, instruction), core_);
  request.generation = isa::generation_of(request.shape.mode, flight.issuer, core_);
  request.issuer = flight.issuer;
  request.ring = program_.instructions[instruction].queue;
  request.instruction = instruction;
  request.iteration = flight.iteration;
  request.token = id;
  request.lead = isa::address_time(decoded_[instruction].words, flight.issuer, core_);
  dma_->send(request);
}

void TimedCore::send(const isa::TransferReply& reply) {
  const auto id = static_cast<std::uint32_t>(reply.token);
  const bool exchange = flights_[id].exchange != nullptr;
  if (reply.what == isa::TransferReply::What::done) {
    if (!exchange) return land(id);
    return is_collective(flights_[id]) ? move_packets(id) : exchange_moved(id);
  }
  // The sequencer went on when it had posted its exchange.
  if (!exchange) accepted(flights_[id], reply.time);
}

void TimedCore::accepted(const Flight& flight, Ticks at) {
  Unit& unit = *units_[static_cast<std::size_t>(flight.issuer)];
  const std::uint32_t instruction = flight.item->instruction;
  // Up to now the ring was full; from now on the trigger itself holds the sequencer.
  unit.account.until(queue_.now(), Reason::waiting_queue, instruction, flight.iteration);
  const Ticks next = at + core_.engine(flight.issuer).sequencer.gap;
  unit.account.until(next, Reason::overhead, instruction, flight.iteration);
  wait_until(unit, next);
}

void TimedCore::land(std::uint32_t id) {
  const Flight& flight = flights_[id];
  const StreamItem& item = *flight.item;
  if (options_.values) {
    execute(item.instruction, flight.issuer, flight.slot);
  } else {
    release(flight.slot);
  }
  --transfers_pending_;
  free_flights_.push_back(id);
  end_ = std::max(end_, queue_.now());
  if (item.signal_count > 0) {
    queue_.at(queue_.now() + core_.dma.completion, *this,
              {message_of(deliver, flight.issuer), static_cast<std::uint32_t>(flight.position)});
  }
}

void TimedCore::run_control(Unit& unit, const StreamItem& item) {
  const std::uint32_t slot = resolve(item.instruction, unit.engine);
  const void* record = record_in(slot, item.instruction);
  const Operation& operation = this->operation(item.instruction, unit.engine, record);
  const std::uint32_t iteration = this->iteration(item.instruction);
  ++executions_[item.instruction];
  if (options_.checkers != nullptr)
    options_.checkers->issued(unit.engine, item, record, iteration, queue_.now());
  if (!options_.values && flow_reads_memory_) require_data(item.instruction, record);
  execute(item.instruction, unit.engine, slot);
  const Ticks until = queue_.now() + operation.held;
  unit.account.until(until, Reason::overhead, item.instruction, iteration);
  unit.last_commit = std::max(unit.last_commit, until);
  unit.commits.push(unit.last_commit);
  end_ = std::max(end_, until);
  if (item.signal_count > 0) {
    queue_.at(unit.last_commit + core_.semaphores.engine_to_engine, *this,
              {message_of(deliver, unit.engine), static_cast<std::uint32_t>(unit.at - 1)});
  }
  follow(unit, item.instruction);
  wait_until(unit, until);
}

// The sequencer's next item after a control instruction, the one before unit.at.
void TimedCore::follow(Unit& unit, std::uint32_t instruction) {
  const std::size_t next = unit.cursor.after(unit.at - 1, instruction, execution_);
  if (steady_ != nullptr && next < unit.at) {
    if (const auto loop = steady_->closed_by(instruction, unit.engine)) turn_ended_ = loop;
  }
  // Items that a branch skips still count when an item says how far back the one it needs is.
  for (std::size_t skipped = unit.at; skipped < next; ++skipped)
    unit.commits.push(unit.last_commit);
  if (options_.checkers != nullptr && next > unit.at)
    options_.checkers->skipped(unit.engine, next - unit.at);
  unit.at = next;
}

// Without values, a register that loops or branches may depend on can only be loaded from what the
// host put into HBM. Elsewhere registers hold addresses, on which no time depends: the first one
// will do.
void TimedCore::require_data(std::uint32_t instruction, const void* record) const {
  bool known = true;
  isa::for_each_operand_tile(program_.info_at(instruction), record,
                             [&](std::size_t, const isa::Tile& src, isa::Access access) {
                               if (!isa::reads(access)) return;
                               known = known && src.space == isa::Space::hbm &&
                                       execution_.core.hbm->written().all_written(
                                           execution_.hbm_base[src.tensor] + src.offset,
                                           src.element_bytes());
                             });
  if (known) return;
  throw base::Fault(
      base::FaultCategory::unsupported,
      {"time.data", "a run without values knows every number that control flow depends on",
       program_.place(instruction), "a register is loaded from memory that nothing has filled in",
       "run with values"});
}

void TimedCore::execute(std::uint32_t instruction, Engine engine, std::uint32_t slot) {
  ++applied_;
  const void* record = record_in(slot, instruction);
  if (options_.checkers != nullptr)
    options_.checkers->apply(instruction, engine, record, queue_.now());
  execution_.engine = engine;
  execute_at(program_, instruction, record, execution_);
  if (options_.checkers != nullptr) options_.checkers->applied(instruction, record);
  release(slot);
}

}  // namespace trainyard::engines
