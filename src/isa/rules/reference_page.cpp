#include "isa/rules/reference_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "isa/core/instruction_set.h"
#include "isa/rules/validate.h"

namespace trainyard::isa {

namespace {

enum Group : std::uint8_t { tensor_engine, other_engines, dma, control, group_count };
constexpr std::array<std::string_view, group_count> headings{
    "Tensor engine", "Vector, Scalar and GpSimd engines", "DMA", "Registers and control"};

Group group_of(const InstructionInfo& what) {
  if (what.kind == Kind::dma) return dma;
  if (what.kind == Kind::control) return control;
  return what.engines.contains(Engine::tensor) ? tensor_engine : other_engines;
}

std::string_view name(Fidelity fidelity) {
  constexpr std::array<std::string_view, 4> names{"published", "derived", "estimated", "assumed"};
  return names.at(static_cast<std::size_t>(fidelity));
}

std::string_view words(OperandType type) {
  return visit_type(type, []<typename T>(T*) { return type_words<T>; });
}

std::string_view words(Access access) {
  if (access == Access::none) return "";
  if (access == Access::read) return "reads";
  if (access == Access::read_some) return "reads in part";
  if (access == Access::write) return "writes";
  if (access == Access::fence) return "orders";
  return access == Access::update ? "reads and writes" : "writes in part";
}

// A table cell may not hold a bar.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string engines_of(const InstructionInfo& what) {
  std::string text;
  for (int e = 0; e < engine_count; ++e) {
    if (!what.engines.contains(static_cast<Engine>(e))) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name(static_cast<Engine>(e)));
  }
  return text;
}

std::string signature(const InstructionInfo& what) {
  std::string text = fmt::format("{}(", what.mnemonic);
  std::string_view before;
  bool has_default = false, by_name = false;
  for (const OperandInfo& operand : what.operands) {
    const bool is_given = operand.default_value.empty();
    if (is_given && has_default && !std::exchange(by_name, true)) text += ", *";
    text += fmt::format("{}{}", before, operand.name);
    if (!is_given) text += fmt::format("={}", operand.default_value);
    has_default = has_default || !is_given;
    before = ", ";
  }
  return text + ")";
}

std::string row(const auto& rule) {
  return fmt::format("| {} | {} | {} |\n", rule.label, cell(rule.rule),
                     cell(std::string_view(rule.fix)));
}

std::string section(const InstructionInfo& what) {
  std::string text = fmt::format("### {}\n\n{}.\n\n```python\n{}\n```\n\n", what.mnemonic,
                                 what.summary, signature(what));
  if (!what.operands.empty()) {
    text += "| Operand | Type | Access | Meaning |\n|---|---|---|---|\n";
    for (const OperandInfo& operand : what.operands)
      text += fmt::format("| `{}` | {} | {}{} | {} |\n", operand.name, cell(words(operand.type)),
                          words(operand.access), operand.indirect ? "; may be indirect" : "",
                          cell(operand.doc));
    text += '\n';
  }
  if (!what.constraints.empty()) {
    text += "| Label | Rule | Fix |\n|---|---|---|\n";
    for (const ConstraintInfo& rule : what.constraints) text += row(rule);
    if (what.nameable != nullptr) text += row(what.naming);
    text += '\n';
  }
  text += fmt::format("Engines: {}. Source ({}): {}.\n\n", engines_of(what),
                      name(what.source.fidelity), what.source.text);
  return text;
}

std::string rules_page(std::string_view heading, std::span<const GeneralRule> rules) {
  std::string text = fmt::format("## {}\n\n| Label | Rule | Fix |\n|---|---|---|\n", heading);
  for (const GeneralRule& rule : rules) text += row(rule);
  return text + '\n';
}

}  // namespace

std::string reference_markdown() {
  std::array<std::vector<const InstructionInfo*>, group_count> groups;
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode)
    groups[group_of(info(opcode))].push_back(&info(opcode));
  std::string text = fmt::format(
      "# Instruction set\n\nThe {} instructions, from their definitions in "
      "`src/isa/instructions/`. Made by `trainyard isa docs`; do not edit.\n\nA rule's label is "
      "the "
      "same in an error message and in the test that proves it. \"May be indirect\": the operand "
      "may be an `.indirect()` view.\n\n",
      opcode_count);
  text += rules_page("Rules of every instruction", general_rules());
  text += rules_page("Rules of a program", program_rules());
  for (std::size_t g = 0; g < group_count; ++g) {
    std::sort(groups[g].begin(), groups[g].end(),
              [](const auto* a, const auto* b) { return a->mnemonic < b->mnemonic; });
    text += fmt::format("## {}\n\n", headings[g]);
    for (const InstructionInfo* what : groups[g]) text += section(*what);
  }
  text.pop_back();
  return text;
}

}  // namespace trainyard::isa
