// Which sequencer registers one instruction reads and writes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "isa/core/program.h"

namespace trainyard::isa {

// Calls f(register, whether it is written) for the registers of one record, those of the run-time
// addresses of its tiles included.
template <typename F>
void for_each_register(const InstructionInfo& info, const void* record,
                       std::span<const DynamicAddress> dynamics, F&& f) {
  const auto give = [&](Register reg, bool written) {
    if (reg) f(reg, written);
  };
  for (std::size_t k = 0; k < info.operands.size(); ++k) {
    const OperandInfo& operand = info.operands[k];
    if (operand.is<Register>()) {
      give(operand.in<Register>(record), writes(info.access(record, k)));
    } else if (operand.is<RegisterOrInt>()) {
      give(operand.in<RegisterOrInt>(record).reg, false);
    }
    for_each_tile_of(operand, record, [&](const Tile& tile) {
      if (tile.dynamic != 0) give(dynamics[tile.dynamic - 1].reg, false);
    });
  }
}

// The same of instruction i.
template <typename F>
void for_each_register(const Program& program, std::uint32_t i, F&& f) {
  for_each_register(program.info_at(i), program.record(i), program.dynamics, f);
}

// Whether an operand is a number, or a register that is read when the instruction is issued.
// Control instructions read theirs themselves, when the sequencer runs them.
[[nodiscard]] inline bool is_read_at_issue(const InstructionInfo& info,
                                           const OperandInfo& operand) {
  return info.kind != Kind::control && operand.is<RegisterOrInt>();
}
// Whether a record names such a register.
[[nodiscard]] inline bool reads_registers_at_issue(const InstructionInfo& info,
                                                   const void* record) {
  return std::ranges::any_of(info.operands, [&](const OperandInfo& operand) {
    return is_read_at_issue(info, operand) && operand.in<RegisterOrInt>(record).reg;
  });
}

}  // namespace trainyard::isa
