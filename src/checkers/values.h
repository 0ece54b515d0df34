// Checks of the values that instructions read and give: the first NaN, arguments outside a
// function's range, integers that fp32 does not hold, and results that their formats do not hold.
#pragma once

#include <vector>

#include "checkers/history.h"
#include "isa/semantics/execution.h"

namespace trainyard::checkers {

class ValueCheck {
 public:
  ValueCheck(const isa::Program& program, isa::Execution& execution, const History& history,
             Findings& findings)
      : program_(program),
        execution_(execution),
        history_(history),
        findings_(findings),
        has_nan_(program.tensors.size(), false) {}

  // Just before an instruction is applied.
  void before(std::uint32_t instruction, isa::Engine engine, const isa::InstructionInfo& info,
              const void* record);
  // Just after. `determined`: it has read nothing arbitrary.
  void after(std::uint32_t instruction, const isa::InstructionInfo& info, const void* record,
             bool determined);
  // What an instruction stored that its result does not hold.
  void report_overflows(std::uint32_t instruction, const isa::InstructionInfo& info,
                        const void* record, const isa::Overflows& overflows);

 private:
  void check_range(std::uint32_t instruction, const isa::InstructionInfo& info, const void* record);
  void check_integers(std::uint32_t instruction, const isa::InstructionInfo& info,
                      const void* record);
  [[nodiscard]] bool gives_nan(const isa::Tile& tile);
  void report_nan(std::uint32_t instruction, const isa::OperandInfo& operand,
                  const isa::Tile& tile);

  const isa::Program& program_;
  isa::Execution& execution_;
  const History& history_;
  Findings& findings_;
  std::vector<bool> has_nan_;  // by tensor: a NaN was written to it
  std::vector<float> row_;
  std::vector<std::byte> bits_;
};

}  // namespace trainyard::checkers
