#include "isa/core/instruction_set.h"

#include <array>

namespace trainyard::isa {

namespace {

template <typename... Records>
constexpr auto table_of(InstructionList<Records...>) {
  return std::array<const InstructionInfo& (*)(), sizeof...(Records)>{&info_of<Records>...};
}
constexpr auto table = table_of(InstructionSet{});

}  // namespace

const std::array<const InstructionInfo*, opcode_count>& infos() {
  static const auto resolved = [] {
    std::array<const InstructionInfo*, opcode_count> list{};
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = &table[i]();
    return list;
  }();
  return resolved;
}

std::optional<Opcode> opcode_from_mnemonic(std::string_view mnemonic) {
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode) {
    if (info(opcode).mnemonic == mnemonic) return opcode;
  }
  return std::nullopt;
}

}  // namespace trainyard::isa
