// The values that an instruction's operands have by default, in some written form, so that writers
// can leave them out.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "isa/core/instruction_set.h"
#include "isa/core/visit.h"

namespace trainyard::isa {

// A record of one instruction on its way in: default-constructed in storage of its own.
class RecordBuffer {
 public:
  explicit RecordBuffer(const InstructionInfo& info) { info.construct(bytes_.data()); }
  [[nodiscard]] void* data() { return bytes_.data(); }
  [[nodiscard]] const void* data() const { return bytes_.data(); }

 private:
  alignas(16) std::array<std::byte, record_bytes_max> bytes_{};
};

// `write(out, value)` writes one value.
template <typename Write>
class RecordDefaults {
 public:
  explicit RecordDefaults(Write write) : write_(write) {}

  // The written value, or nothing when it is the default.
  [[nodiscard]] std::optional<std::string> changed(Opcode opcode, std::size_t operand,
                                                   const void* record) {
    std::string text = written(info(opcode).operands[operand], record);
    if (text == defaults(opcode)[operand]) return std::nullopt;
    return text;
  }

 private:
  [[nodiscard]] std::string written(const OperandInfo& operand, const void* record) const {
    std::string text;
    visit_operand(operand, record, [&](const auto& value) { write_(text, value); });
    return text;
  }

  [[nodiscard]] const std::vector<std::string>& defaults(Opcode opcode) {
    std::vector<std::string>& list = defaults_[opcode];
    if (list.empty() && !info(opcode).operands.empty()) {
      const RecordBuffer fresh(info(opcode));
      for (const OperandInfo& operand : info(opcode).operands)
        list.push_back(written(operand, fresh.data()));
    }
    return list;
  }

  Write write_;
  std::array<std::vector<std::string>, opcode_count> defaults_;
};

}  // namespace trainyard::isa
