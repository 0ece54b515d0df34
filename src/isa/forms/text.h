// Instructions and programs as text: in words for people, and as the exact text form of
// docs/formats/program.md. Both follow from the operand schema alone.
#pragma once

#include <string>
#include <string_view>

#include "isa/core/program.h"

namespace trainyard::isa {

// One operand's value in words; empty when it is absent or has its default.
[[nodiscard]] std::string describe_operand(const Program& program, const InstructionInfo& info,
                                           const OperandInfo& operand, const void* record);

// The operands of instruction i in words, with the names of their tensors: "dst=t1 sbuf ...,
// op=exp".
[[nodiscard]] std::string describe_operands(const Program& program, std::uint32_t i);

// Instruction i as a line for people: engine, mnemonic, operands with the names of their tensors,
// and the author's line.
[[nodiscard]] std::string disassemble(const Program& program, std::uint32_t i);
// The whole program as such lines, loop bodies indented.
[[nodiscard]] std::string disassemble(const Program& program);

// The exact text form.
[[nodiscard]] std::string to_text(const Program& program);
// The program that to_text wrote; what means nothing (unused strings, the order of waits in their
// table) may differ. Throws InputError "program.text" naming `place`, line and column.
[[nodiscard]] Program parse_text(std::string_view text, std::string_view place = "program");

}  // namespace trainyard::isa
