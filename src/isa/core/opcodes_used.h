// Which instructions a program has at all: one look at each opcode instead of one at each
// instruction, for passes that most programs have nothing for.
#pragma once

#include <algorithm>
#include <array>

#include "isa/core/program.h"

namespace trainyard::isa {

// Whether the program has an instruction for which `holds(info)`.
template <typename F>
[[nodiscard]] bool uses(const Program& program, F&& holds) {
  std::array<bool, opcode_count> used{};
  for (const Instruction& one : program.instructions) used.at(one.opcode) = true;
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode) {
    if (used[opcode] && holds(info(opcode))) return true;
  }
  return false;
}

}  // namespace trainyard::isa
