#include "engines/interpreter.h"

#include <array>
#include <cstring>
#include <deque>
#include <map>

#include "base/error.h"
#include "base/random.h"
#include "engines/control_flow.h"
#include "engines/deadlock.h"
#include "engines/grid.h"
#include "engines/semaphores.h"

namespace trainyard::engines {

Interpreter::Interpreter(const isa::Program& program, isa::Execution& execution,
                         isa::Observer* observer)
    : program_(program),
      execution_(execution),
      observer_(observer),
      decoded_(decode(program)),
      order_(authors_order(program)),
      flow_(program, order_),
      cursor_(program, flow_),
      expected_(expected_steps(program, order_)) {}

void Interpreter::apply(std::uint32_t instruction, isa::Engine engine, const void* record) {
  if (observer_ != nullptr) observer_->apply(instruction, engine, record, {});
  execution_.engine = engine;
  ++executed_;
  execute_at(program_, instruction, record, execution_);
  if (observer_ != nullptr) observer_->applied(instruction, record);
}

void Interpreter::execute(std::uint32_t instruction, isa::Engine engine) {
  const Decoded& d = decoded_[instruction];
  if (engine == isa::Engine::any) engine = program_.instructions[instruction].engine;
  if (!d.is_dynamic) return apply(instruction, engine, d.record);
  // In the author's order every engine's registers hold the same, so any of them gives the address.
  const isa::Engine who = engine == isa::Engine::any ? isa::Engine::sync : engine;
  resolve_at(program_, instruction, who, execution_, buffer_.bytes);
  apply(instruction, engine, buffer_.bytes);
}

void Interpreter::run(const Watch& watch) {
  Interpreter* self = this;
  run_grid({&self, 1}, watch);
}

void Interpreter::look(const Watch& watch) const {
  if (!watch || executed_ % steps_between_looks != 0) return;
  watch({.instructions = executed_, .expected = expected_, .where = [this] { return where(); }});
}

std::string Interpreter::where() const {
  return ahead_ || at_ == order_.size() ? "" : cursor_.describe(order_[at_]);
}

Interpreter::Stand Interpreter::step(const Watch& watch) {
  if (ahead_) {
    ahead_->go_on([&](std::uint32_t instruction, isa::Engine engine) {
      execute(instruction, engine);
      look(watch);
    });
    return ahead_->ended() ? Stand::end : Stand::meeting;
  }
  if (at_ == order_.size()) return Stand::end;
  const std::uint32_t i = order_[at_];
  const Decoded& d = decoded_[i];
  if (d.info->encounter(d.record) != isa::Encounter::none) {
    met_record_ = d.record;
    if (d.is_dynamic) {
      resolve_at(program_, i, isa::Engine::sync, execution_, buffer_.bytes);
      met_record_ = buffer_.bytes;
    }
    return Stand::meeting;
  }
  execute(i, isa::Engine::any);
  look(watch);
  at_ = d.info->kind == isa::Kind::control ? cursor_.after(at_, i, execution_) : at_ + 1;
  return Stand::between;
}

bool Interpreter::run_to_meeting(const Watch& watch) {
  Stand stand = Stand::between;
  while (stand == Stand::between) stand = step(watch);
  return stand == Stand::meeting;
}

std::vector<isa::Attendant> Interpreter::attendants() const {
  if (!ahead_)
    return {{.execution = &execution_, .instruction = order_[at_], .record = met_record_}};
  std::vector<isa::Attendant> list;
  for (const StreamWalker::Post* post : ahead_->first_posts())
    list.push_back(
        {.execution = &execution_, .instruction = post->instruction, .record = post->record});
  return list;
}

isa::Message Interpreter::sends(const isa::Attendant& mine) {
  isa::Message message{.bytes = isa::outgoing(mine)};
  if (observer_ != nullptr) observer_->sends(mine.instruction, mine.record, message);
  return message;
}

void Interpreter::meet(const isa::Attendant& mine, std::span<const isa::Message> received) {
  execution_.received = received;
  if (!ahead_) {
    ++at_;
    return apply(mine.instruction, program_.instructions[mine.instruction].engine, mine.record);
  }
  for (const StreamWalker::Post* post : ahead_->first_posts()) {
    if (post->record != mine.record) continue;
    apply(mine.instruction, post->engine, mine.record);
    return ahead_->leave(*post);
  }
}

bool Interpreter::go_ahead() {
  if (ahead_ || !StreamWalker::can_begin(program_, order_[at_])) return false;
  ahead_.emplace(program_, execution_, decoded_, order_[at_], cursor_);
  return true;
}

namespace {

// A transfer that was issued and has not completed; its addresses were resolved when it was issued.
struct Transfer {
  const isa::StreamItem* item;
  isa::Engine issuer;
  RecordBuffer record;
};

}  // namespace

void Interpreter::run_interleaved(std::uint64_t seed) {
  base::check(program_.compiled, "only a compiled program has streams");
  for (const Decoded& d : decoded_)
    base::check(d.info->encounter(d.record) == isa::Encounter::none, "a core runs alone");
  base::Random random(seed);
  Semaphores semaphores(program_.semaphore_count);
  std::array<std::size_t, isa::engine_count> at{};
  std::vector<ControlFlow> flows;
  std::vector<ControlCursor> cursors;
  for (const std::vector<isa::StreamItem>& stream : program_.streams)
    flows.emplace_back(program_, instructions_of(stream));
  for (const ControlFlow& flow : flows) cursors.emplace_back(program_, flow);
  std::map<std::uint8_t, std::deque<Transfer>> queues;
  const auto signal = [&](isa::Engine engine, const isa::StreamItem& item) {
    if (observer_ != nullptr) observer_->signalled(engine, item);
    for (const isa::Signal& s : program_.signals_of(item)) semaphores.add(s);
  };

  const auto go_on = [&](std::size_t e, std::size_t next) {
    // Items that a branch skips still count when an item says how far back the one it needs is.
    if (observer_ != nullptr && next > at[e])
      observer_->skipped(static_cast<isa::Engine>(e), next - at[e]);
    at[e] = next;
  };
  for (;;) {
    std::vector<std::size_t> ready;  // engines that can go on
    std::vector<Stuck> stuck;
    for (std::size_t e = 0; e < at.size(); ++e) {
      if (at[e] == program_.streams[e].size()) continue;
      if (semaphores.missing(program_.waits_of(program_.streams[e][at[e]])) == nullptr) {
        ready.push_back(e);
      } else {
        stuck.push_back({static_cast<isa::Engine>(e), at[e]});
      }
    }
    std::vector<std::uint8_t> busy;  // queues with a transfer to complete
    for (const auto& [queue, transfers] : queues) {
      if (!transfers.empty()) busy.push_back(queue);
    }
    if (ready.empty() && busy.empty()) {
      if (stuck.empty()) {
        if (observer_ != nullptr) observer_->finish();
        return;
      }
      throw_deadlock(program_, semaphores, stuck, "");
    }

    const std::size_t pick = random.below(ready.size() + busy.size());
    if (pick < ready.size()) {
      const auto engine = static_cast<isa::Engine>(ready[pick]);
      const std::size_t here = at[ready[pick]]++;
      const isa::StreamItem& item = program_.streams[ready[pick]][here];
      semaphores.take(program_.waits_of(item));
      if (observer_ != nullptr) observer_->waited(engine, program_.waits_of(item));
      const Decoded& d = decoded_[item.instruction];
      if (d.info->kind == isa::Kind::dma) {
        Transfer& transfer = queues[program_.instructions[item.instruction].queue].emplace_back();
        transfer.item = &item;
        transfer.issuer = engine;
        resolve_at(program_, item.instruction, engine, execution_, transfer.record.bytes);
        if (observer_ != nullptr) observer_->issued(engine, item, transfer.record.bytes, 0, {});
        continue;
      }
      // Checked with the addresses as they are now; execute() resolves the same ones.
      if (observer_ != nullptr) {
        resolve_at(program_, item.instruction, engine, execution_, buffer_.bytes);
        observer_->issued(engine, item, buffer_.bytes, 0, {});
      }
      execute(item.instruction, engine);
      if (d.info->kind == isa::Kind::control)
        go_on(ready[pick], cursors[ready[pick]].after(here, item.instruction, execution_));
      signal(engine, item);
    } else {
      std::deque<Transfer>& queue = queues[busy[pick - ready.size()]];
      const Transfer& transfer = queue.front();
      apply(transfer.item->instruction, transfer.issuer, transfer.record.bytes);
      signal(transfer.issuer, *transfer.item);
      queue.pop_front();
    }
  }
}

}  // namespace trainyard::engines
