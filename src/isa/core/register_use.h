// Which sequencer registers one instruction reads and writes.
#pragma once

#include <algorithm>
#include <array>
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
// Whether there may be some in records of an opcode, so that of most no operand is looked at.
[[nodiscard]] inline bool can_read_registers_at_issue(Opcode opcode) {
  static const std::array<bool, opcode_count> can = [] {
    std::array<bool, opcode_count> list{};
    for (Opcode each = 0; each < opcode_count; ++each) {
      list[each] = info(each).kind != Kind::control &&
                   std::ranges::any_of(info(each).operands, [](const OperandInfo& operand) {
                     return visit_among(
                         operand.type, [](auto*) {}, TypesHolding<RegisterOrInt>{});
                   });
    }
    return list;
  }();
  return can[opcode];
}

}  // namespace trainyard::isa
