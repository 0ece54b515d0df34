#include "engines/interpreter.h"

#include <algorithm>

#include "base/error.h"
#include "engines/grid.h"

namespace trainyard::engines {

Interpreter::Interpreter(const isa::Program& program, isa::Execution& execution,
                         isa::Observer* observer)
    : steps_(program, execution, observer),
      dynamic_(dynamic_instructions(program)),
      order_(authors_order(program)),
      flow_(program, order_),
      cursor_(program, flow_),
      expected_(expected_steps(program, order_)) {}

void Interpreter::run(const Watch& watch) {
  Interpreter* self = this;
  run_grid({&self, 1}, watch);
}

void Interpreter::look(const Watch& watch) const {
  if (!watch || executed() % steps_between_looks != 0) return;
  watch({.instructions = executed(), .expected = expected_, .where = [this] { return where(); }});
}

std::string Interpreter::where() const {
  return ahead_ || cursor_.at() == order_.size() ? "" : cursor_.describe(order_[cursor_.at()]);
}

Interpreter::Stand Interpreter::step(const Watch& watch) {
  if (ahead_) {
    ahead_->go_on([&] { look(watch); });
    return ahead_->ended() ? Stand::end : Stand::meeting;
  }
  if (cursor_.at() == order_.size()) return Stand::end;
  const isa::Program& program = steps_.program();
  const std::uint32_t i = order_[cursor_.at()];
  const isa::InstructionInfo& info = program.info_at(i);
  // On the engine that the program chose; a control instruction on every engine.
  const Issued one = steps_.issue(i, program.instructions[i].engine, dynamic_[i]);
  if (info.encounter(program.record(i)) != isa::Encounter::none) {
    met_ = one;
    return Stand::meeting;
  }
  steps_.apply(one);
  look(watch);
  cursor_.pass();
  if (info.kind == isa::Kind::control) cursor_.follow(i, steps_.execution(), nullptr);
  return Stand::between;
}

bool Interpreter::run_to_meeting(const Watch& watch) {
  Stand stand = Stand::between;
  while (stand == Stand::between) stand = step(watch);
  return stand == Stand::meeting;
}

std::vector<isa::Attendant> Interpreter::attendants() const {
  if (!ahead_) return {steps_.attendant(met_)};
  std::vector<isa::Attendant> list;
  for (const StreamWalker::Post& post : ahead_->first_posts())
    list.push_back(steps_.attendant(post.issued));
  return list;
}

isa::Message Interpreter::sends(const isa::Attendant& mine) { return steps_.sends(mine); }

void Interpreter::meet(const isa::Attendant& mine, std::span<const isa::Message> received,
                       isa::SharedSum& sum) {
  const Reception reception(steps_.execution(), received, &sum);
  if (ahead_) return ahead_->meet(mine.record);
  cursor_.pass();
  steps_.apply(met_);
}

bool Interpreter::go_ahead() {
  const isa::Program& program = steps_.program();
  if (ahead_ || !StreamWalker::can_begin(program, order_[cursor_.at()])) return false;
  steps_.drop(met_);
  ahead_.emplace(steps_, dynamic_, order_[cursor_.at()], cursor_);
  return true;
}

}  // namespace trainyard::engines
