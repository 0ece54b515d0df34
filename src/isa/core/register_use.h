// Which sequencer registers one instruction reads and writes.
#pragma once

#include <cstdint>
#include <span>

#include "isa/core/program.h"

namespace trainyard::isa {

// Calls f(register, whether it is written) for the registers of one record, those of the run-time
// addresses of its tiles included.
template <typename F>
void for_each_register(const InstructionInfo& info, const void* record,
                       std::span<const DynamicAddress> dynamics, F&& f) {
  for (std::size_t k = 0; k < info.operands.size(); ++k) {
    const OperandInfo& operand = info.operands[k];
    for_each_held<Register>(operand, record, [&](Register reg) {
      if (reg) f(reg, writes(info.access(record, k)));
    });
    for_each_tile_of(operand, record, [&](const Tile& tile) {
      if (tile.dynamic == 0) return;
      if (const Register reg = dynamics[tile.dynamic - 1].reg) f(reg, false);
    });
  }
}

// The same of instruction i.
template <typename F>
void for_each_register(const Program& program, std::uint32_t i, F&& f) {
  for_each_register(program.info_at(i), program.record(i), program.dynamics, f);
}

// Calls f(value) for the numbers of one record that registers give when the instruction is issued.
// Control instructions read theirs themselves, when the sequencer runs them.
template <typename RecordPointer, typename F>
void for_each_read_at_issue(const InstructionInfo& info, RecordPointer record, F&& f) {
  if (info.kind == Kind::control) return;
  for (const OperandInfo& operand : info.operands) {
    for_each_held<RegisterOrInt>(operand, record, [&](auto& value) {
      if (value.reg) f(value);
    });
  }
}
// Whether there are some.
[[nodiscard]] inline bool reads_registers_at_issue(const InstructionInfo& info,
                                                   const void* record) {
  bool found = false;
  for_each_read_at_issue(info, record, [&](const auto&) { found = true; });
  return found;
}

}  // namespace trainyard::isa
