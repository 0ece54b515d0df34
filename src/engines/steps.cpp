#include "engines/steps.h"

#include <utility>

#include "base/error.h"
#include "isa/rules/validate.h"

namespace trainyard::engines {

namespace {

// A Fault of what an instruction does, which does not know where it stands.
template <typename F>
void naming_the_place(const isa::Program& program, std::uint32_t instruction, F&& f) {
  try {
    f();
  } catch (const base::Fault& fault) {
    if (!fault.violation().place.empty()) throw;
    base::Violation violation = fault.violation();
    violation.place = program.place(instruction);
    violation.sides = isa::sides_of(program, program.info_at(instruction),
                                    program.record(instruction), violation.place);
    throw base::Fault(fault.category(), std::move(violation));
  }
}

}  // namespace

std::uint32_t Steps::resolve(std::uint32_t instruction, isa::Engine engine) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.push_back(std::make_unique<Room>());
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  const isa::Engine whose = engine == isa::Engine::any ? isa::Engine::sync : engine;
  naming_the_place(program_, instruction, [&] {
    isa::resolve(program_.info_at(instruction), program_.record(instruction), whose, execution_,
                 slots_[slot]->bytes);
  });
  return slot;
}

void Steps::apply(const Issued& one, base::Ticks now) {
  const void* record = this->record(one);
  if (observer_ != nullptr) observer_->apply(one.instruction, one.engine, record, now);
  execution_.engine = one.engine;
  ++applied_;
  naming_the_place(program_, one.instruction,
                   [&] { isa::execute(program_.info_at(one.instruction), record, execution_); });
  if (observer_ != nullptr) observer_->applied(one.instruction, record);
  drop(one);
}

isa::Message Steps::sends(const isa::Attendant& mine) const {
  isa::Message message{.bytes = isa::outgoing(mine)};
  if (observer_ != nullptr) observer_->sends(mine.instruction, mine.record, message);
  return message;
}

std::vector<bool> dynamic_instructions(const isa::Program& program) {
  std::vector<bool> dynamic(program.instructions.size());
  for (std::uint32_t i = 0; i < dynamic.size(); ++i)
    dynamic[i] = isa::is_dynamic(program.info_at(i), program.record(i));
  return dynamic;
}

}  // namespace trainyard::engines
