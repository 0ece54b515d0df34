#include "isa/core/accumulation.h"

namespace trainyard::isa {

std::optional<Accumulation> accumulation_of(const InstructionInfo& info, const void* record) {
  if (!accumulates(info.hidden)) return std::nullopt;
  Accumulation found{.state = info.hidden};
  if (const ReduceCmd* command = info.first<ReduceCmd>(record)) found.command = *command;
  found.data = &info.with(Role::data)->in<Tile>(record);
  if (const OperandInfo* result = info.with(Role::reduction_result))
    found.gives = static_cast<bool>(result->in<Tile>(record));
  return found;
}

}  // namespace trainyard::isa
