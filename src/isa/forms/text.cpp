#include "isa/forms/text.h"

#include <fmt/format.h>

#include "isa/core/control_flow.h"
#include "isa/core/instruction_set.h"
#include "isa/core/visit.h"
#include "isa/forms/record_defaults.h"
#include "isa/forms/value_words.h"

namespace trainyard::isa {

namespace {

// Of many, the first ones and the last.
template <typename T, typename F>
std::string some_of(std::span<const T> list, std::string_view of, F&& words_of) {
  constexpr std::size_t told_max = 16;
  const bool is_long = list.size() > told_max;
  std::string text;
  for (const T& one : list.first(is_long ? told_max / 2 : list.size()))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", words_of(one));
  if (!is_long) return fmt::format("[{}]", text);
  return fmt::format("[{}, ..., {}], {} {}", text, words_of(list.back()), list.size(), of);
}
std::string words(const Program& program, RankGroups groups) {
  const auto rank = [](std::int32_t one) { return std::to_string(one); };
  const auto group = [&](const std::vector<std::int32_t>& ranks) {
    return some_of(std::span<const std::int32_t>(ranks), "ranks", rank);
  };
  return groups.id == 0 ? std::string{} : some_of(program.groups(groups), "groups", group);
}

}  // namespace

std::string describe_operand(const Program& program, const InstructionInfo& info,
                             const OperandInfo& operand, const void* record) {
  const auto described = [&](const void* from) {
    return visit_operand(operand, from, [&](const auto& value) {
      if constexpr (std::is_same_v<decltype(value), const RankGroups&>) {
        return words(program, value);
      } else {
        return value_words::of(value);
      }
    });
  };
  std::string text = described(record);
  if (text.empty() || operand.default_value.empty()) return text;
  const RecordBuffer unset(info);
  return text == described(unset.data()) ? std::string{} : text;
}

namespace {

std::string operand_with_tensor(const Program& program, const InstructionInfo& info,
                                const OperandInfo& operand, const void* record) {
  const std::string text = describe_operand(program, info, operand, record);
  if (text.empty() || !operand.is<Tile>()) return text;
  const TensorId tensor = operand.in<Tile>(record).tensor;
  if (tensor >= program.tensors.size() || program.tensors[tensor].name.empty()) return text;
  return fmt::format("{} {}", program.tensors[tensor].name, text);
}

std::string first_line(std::string text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string describe_operands(const Program& program, std::uint32_t i) {
  const InstructionInfo& what = program.info_at(i);
  std::string text;
  for (const OperandInfo& operand : what.operands) {
    const std::string value = operand_with_tensor(program, what, operand, program.record(i));
    if (!value.empty())
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", operand.name, value);
  }
  return text;
}

std::string disassemble(const Program& program, std::uint32_t i) {
  const InstructionInfo& what = program.info_at(i);
  std::string text =
      fmt::format("{:>6}  {:<6}  {}", i, name(program.instructions[i].engine), what.mnemonic);
  if (const std::string operands = describe_operands(program, i); !operands.empty())
    text += "  " + operands;
  const std::string where = program.place(i);
  return where.empty() ? text : fmt::format("{}    # {}", text, first_line(where));
}

std::string disassemble(const Program& program) {
  std::string text;
  std::vector<LoopTree::Problem> problems;  // loops that are not well formed are shown, too
  const LoopTree loops(program, &problems);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    for (std::uint32_t in = loops.around(i); in != LoopTree::none; in = loops[in].parent)
      text += "  ";
    text += disassemble(program, i) + '\n';
  }
  return text;
}

}  // namespace trainyard::isa
