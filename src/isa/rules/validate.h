// Checks one instruction, or a whole program, against the labelled rules: each instruction's own
// constraints and the rules that hold for every tile and engine. Reports what is wrong; changes
// nothing.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "isa/core/program.h"

namespace trainyard::isa {

// A rule that is not one instruction's own. general_rules(): labels "tile.*" and "engine.*".
struct GeneralRule {
  std::string_view label, rule;
  Fix fix;
};
[[nodiscard]] std::span<const GeneralRule> general_rules();

// What instruction `record` breaks; empty when it is legal. `engine` may be Engine::any. `tensors`
// gives the bounds. `runner`: the rank that runs the program; nothing: several may.
[[nodiscard]] std::vector<base::Violation> violations(
    const InstructionInfo& info, const void* record, Engine engine, const Program& program,
    const machine::Core& core, const std::optional<LogicalCore>& runner = {});

// The same for instruction `i`, with its place in the author's source.
[[nodiscard]] std::vector<base::Violation> violations_at(
    const Program& program, std::uint32_t i, const machine::Core& core,
    const std::optional<LogicalCore>& runner = {});

// The rules of a whole program, with labels "program.*".
[[nodiscard]] std::span<const GeneralRule> program_rules();

// What the program as a whole breaks: its form, or else its loops and branches, and, when compiled,
// its streams.
[[nodiscard]] std::vector<base::Violation> program_violations(const Program& program,
                                                              const machine::Core& core);

// The parties of a rule that an instruction breaks: itself, at `place`, and the tensors it names.
[[nodiscard]] std::vector<base::Side> sides_of(const Program& program, const InstructionInfo& info,
                                               const void* record, const std::string& place);
// A tensor as one of them: where it was created.
[[nodiscard]] base::Side created(const Program& program, TensorId tensor);

// Throws InputError with these violations of an instruction; Fault missing_specification with the
// first of them that asks for a fact nobody has published.
[[noreturn]] void refuse(const InstructionInfo& info, std::vector<base::Violation> broken);

// Refuses instruction `i` when it breaks a rule, naming its place in the author's source.
void validate(const Program& program, std::uint32_t i, const machine::Core& core);

// Throws InputError with every violation of the program as a whole, or else of its instructions.
void validate(const Program& program, const machine::Core& core);

// Throws InputError where the collectives of a valid program are none that `runner` can run.
void validate_for(const LogicalCore& runner, const Program& program, const machine::Core& core);

// "dst: sbuf bfloat16 [128, 512]; data: psum float32 [128, 512]": the operands in words.
[[nodiscard]] std::string describe_operands(const Program& program, const InstructionInfo& info,
                                            const void* record);

}  // namespace trainyard::isa
