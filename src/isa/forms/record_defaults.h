// The values that an instruction's operands have by default, in some written form, so that writers
// can leave them out.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "isa/core/instruction_set.h"
#include "isa/core/program.h"
#include "isa/core/visit.h"

namespace trainyard::isa {

// A record of one instruction on its way in: default-constructed in storage of its own.
class RecordBuffer {
 public:
  explicit RecordBuffer(const InstructionInfo& info) {
    std::fill_n(bytes_.begin(), info.record_bytes, std::byte{});
    info.construct(bytes_.data());
  }
  [[nodiscard]] void* data() { return bytes_.data(); }
  [[nodiscard]] const void* data() const { return bytes_.data(); }

 private:
  alignas(16) std::array<std::byte, record_bytes_max> bytes_;
};

// Appends what `write(out, value)` makes of an operand; groups of ranks are written as the ranks in
// them.
template <typename Out, typename Write>
void append_operand(Out& out, const Program& program, const OperandInfo& operand,
                    const void* record, Write write) {
  visit_operand(operand, record, [&](const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const RankGroups&>) {
      write(out, program.groups(value));
    } else {
      write(out, value);
    }
  });
}

template <typename Write>
class RecordDefaults {
 public:
  explicit RecordDefaults(const Program& program) : program_(program) {}

  // Appends the written value unless it is the default; returns whether it did.
  bool append_changed(std::string& out, Opcode opcode, std::size_t operand, const void* record) {
    const std::size_t begin = out.size();
    append_operand(out, program_, info(opcode).operands[operand], record, Write());
    if (std::string_view(out).substr(begin) != defaults(opcode)[operand]) return true;
    out.resize(begin);
    return false;
  }

 private:
  [[nodiscard]] const std::vector<std::string>& defaults(Opcode opcode) {
    std::vector<std::string>& list = defaults_[opcode];
    if (list.empty() && !info(opcode).operands.empty()) {
      const RecordBuffer fresh(info(opcode));
      for (const OperandInfo& operand : info(opcode).operands)
        append_operand(list.emplace_back(), program_, operand, fresh.data(), Write());
    }
    return list;
  }

  const Program& program_;
  std::array<std::vector<std::string>, opcode_count> defaults_;
};

}  // namespace trainyard::isa
