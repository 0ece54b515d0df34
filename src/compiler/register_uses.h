// Which registers of its engine's sequencer an instruction sets and reads, and which earlier
// instructions it must stay behind because of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::compiler {

// True for an operand that receives a number.
[[nodiscard]] inline bool sets_register(const isa::OperandInfo& operand) {
  return operand.is<isa::Register>() && isa::writes(operand.access);
}
// The register that an operand names, if any.
[[nodiscard]] inline isa::Register register_of(const isa::OperandInfo& operand,
                                               const void* record) {
  if (operand.is<isa::Register>()) return operand.in<isa::Register>(record);
  if (operand.is<isa::RegisterOrInt>()) return operand.in<isa::RegisterOrInt>(record).reg;
  return {};
}

// Calls f(register) for each one that instruction i reads: as an operand, or for an address.
template <typename F>
void for_each_register_read(const isa::Program& program, std::uint32_t i, F&& f) {
  for (const isa::OperandInfo& operand : program.info_at(i).operands) {
    const isa::Register reg = register_of(operand, program.record(i));
    if (reg && !sets_register(operand)) f(reg);
  }
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
    if (tile.dynamic == 0) return;
    if (const isa::Register reg = program.dynamics[tile.dynamic - 1].reg) f(reg);
  });
}

// Walks a program in order, each instruction on the engine that runs it.
class RegisterOrder {
 public:
  explicit RegisterOrder(const isa::Program& program) : program_(program) {}

  // The earlier instructions that `i` stays behind; valid until the next call.
  [[nodiscard]] std::span<const std::uint32_t> next(std::uint32_t i);

 private:
  struct Uses {
    bool is_set = false;
    std::uint32_t set = 0;             // the last instruction that sets it, and
    std::vector<std::uint32_t> reads;  // those that have read it since
  };

  const isa::Program& program_;
  std::array<std::array<Uses, 256>, isa::engine_count> uses_{};  // by engine and register
  std::vector<std::uint32_t> found_;
};

}  // namespace trainyard::compiler
