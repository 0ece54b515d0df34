#include "engines/data_paths.h"

#include <algorithm>
#include <utility>

namespace trainyard::engines {

using base::Ticks;
using trace::Reason;

DataPaths::Passage DataPaths::stream(isa::Engine engine, const Operation& operation, Ticks now,
                                     Ticks free) {
  Ticks tables{0}, start = now, extra{0};
  if (operation.tables != TableSet::any && operation.tables != state_.tables) {
    // A load waits for nothing but the instruction before it: compilers put it in front of the
    // waits of the first function that needs the tables (seen in public traces of Trn2).
    state_.tables = operation.tables;
    start = tables = std::max(start, free + spec_.core.scalar_rates.table_load);
  }
  if (const BankMask banks = operation.psum_read | operation.psum_written; banks != 0) {
    const Sharing sharing = state_.banks.use(engine, banks, start, operation.occupancy);
    start = sharing.start;
    extra += sharing.extra;
  }
  if (operation.uses_bus) {
    const Sharing sharing = state_.bus.use(engine, start, operation.occupancy);
    start = sharing.start;
    extra += sharing.extra;
  }
  const Ticks worked = start + operation.occupancy;
  return {.phases = {{{tables, Reason::overhead},
                      {start, Reason::waiting_bank},
                      {worked, Reason::working},
                      {worked + extra, Reason::waiting_bank}}},
          .free = worked + extra,
          .commit = start + operation.latency + extra};
}

DataPaths::Passage DataPaths::through_array(std::uint32_t instruction, const Operation& operation,
                                            Ticks now) {
  const TensorPipe::Plan plan = state_.pipe.run(now, *operation.passes, reuses_loaded(instruction));
  state_.banks.write(operation.psum_written, plan.end);
  return {.phases = {{{plan.begin, Reason::waiting_operand},
                      {plan.worked, Reason::working},
                      {plan.end, Reason::throttle}}},
          .free = plan.next,
          .commit = plan.commit};
}

const isa::Tile* DataPaths::stationary_of(std::uint32_t instruction) const {
  const isa::OperandInfo* operand = spec_.program.info_at(instruction).with(isa::Role::stationary);
  return operand == nullptr ? nullptr : &operand->in<isa::Tile>(spec_.program.record(instruction));
}

bool DataPaths::reuses_loaded(std::uint32_t instruction) {
  const std::uint32_t loaded = std::exchange(state_.loaded_by, instruction);
  // Nothing is loaded yet, or a loop has gone back.
  if (loaded >= instruction) return false;
  const isa::Tile* wanted = stationary_of(instruction);
  const isa::Tile* present = stationary_of(loaded);
  if (wanted == nullptr || present == nullptr || wanted->dynamic != 0 || *wanted != *present)
    return false;
  // Anything written in between might be the operand.
  for (std::uint32_t i = loaded + 1; i < instruction; ++i) {
    bool overwritten = false;
    spec_.program.for_each_tile(
        i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
          overwritten = overwritten || (isa::writes(access) && tile.tensor == wanted->tensor);
        });
    if (overwritten) return false;
  }
  return true;
}

void DataPaths::show(base::StateVisitor& visitor) {
  state_.pipe.show(visitor);
  state_.banks.show(visitor);
  state_.bus.show(visitor);
  visitor.value(state_.tables);
  visitor.value(state_.loaded_by);
}

}  // namespace trainyard::engines
