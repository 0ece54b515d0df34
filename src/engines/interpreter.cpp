#include "engines/interpreter.h"

#include <algorithm>

#include "base/error.h"
#include "engines/grid.h"

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

void Interpreter::execute(std::uint32_t instruction) {
  const Decoded& d = decoded_[instruction];
  const isa::Engine engine = program_.instructions[instruction].engine;
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
  return ahead_ || cursor_.at() == order_.size() ? "" : cursor_.describe(order_[cursor_.at()]);
}

Interpreter::Stand Interpreter::step(const Watch& watch) {
  if (ahead_) {
    ahead_->go_on([&](std::uint32_t instruction, isa::Engine engine, const void* record) {
      apply(instruction, engine, record);
      look(watch);
    });
    return ahead_->ended() ? Stand::end : Stand::meeting;
  }
  if (cursor_.at() == order_.size()) return Stand::end;
  const std::uint32_t i = order_[cursor_.at()];
  const Decoded& d = decoded_[i];
  if (d.info->encounter(d.record) != isa::Encounter::none) {
    met_record_ = d.record;
    if (d.is_dynamic) {
      resolve_at(program_, i, isa::Engine::sync, execution_, buffer_.bytes);
      met_record_ = buffer_.bytes;
    }
    return Stand::meeting;
  }
  execute(i);
  look(watch);
  cursor_.pass();
  if (d.info->kind == isa::Kind::control) cursor_.follow(i, execution_, nullptr);
  return Stand::between;
}

bool Interpreter::run_to_meeting(const Watch& watch) {
  Stand stand = Stand::between;
  while (stand == Stand::between) stand = step(watch);
  return stand == Stand::meeting;
}

std::vector<isa::Attendant> Interpreter::attendants() const {
  if (!ahead_)
    return {{.execution = &execution_, .instruction = order_[cursor_.at()], .record = met_record_}};
  std::vector<isa::Attendant> list;
  for (const StreamWalker::Issued* post : ahead_->first_posts())
    list.push_back(
        {.execution = &execution_, .instruction = post->instruction, .record = post->record});
  return list;
}

isa::Message Interpreter::sends(const isa::Attendant& mine) {
  isa::Message message{.bytes = isa::outgoing(mine)};
  if (observer_ != nullptr) observer_->sends(mine.instruction, mine.record, message);
  return message;
}

void Interpreter::meet(const isa::Attendant& mine, std::span<const isa::Message> received,
                       isa::SharedSum& sum) {
  execution_.received = received;
  execution_.shared_sum = &sum;
  if (!ahead_) {
    cursor_.pass();
    apply(mine.instruction, program_.instructions[mine.instruction].engine, mine.record);
  } else {
    const auto posts = ahead_->first_posts();
    const auto post = std::ranges::find(posts, mine.record, &StreamWalker::Issued::record);
    base::check(post != posts.end(), "a core meets others where it stands");
    apply(mine.instruction, (*post)->engine, mine.record);
    ahead_->leave(**post);
  }
  execution_.received = {};  // they last no longer than the meeting
  execution_.shared_sum = nullptr;
}

bool Interpreter::go_ahead() {
  if (ahead_ || !StreamWalker::can_begin(program_, order_[cursor_.at()])) return false;
  ahead_.emplace(program_, execution_, decoded_, order_[cursor_.at()], cursor_);
  return true;
}

}  // namespace trainyard::engines
