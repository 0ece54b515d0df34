// Check: rows of a scatter that go to the same place hold the same bytes, or the one that stays is
// left to the DMA engines' timing. Sums that read, add and write are dma.unique.
#pragma once

#include "checkers/history.h"
#include "isa/semantics/execution.h"

namespace trainyard::checkers {

class ScatterCheck {
 public:
  ScatterCheck(const isa::Program& program, isa::Execution& execution, const History& history,
               Findings& findings)
      : program_(program), execution_(execution), history_(history), findings_(findings) {}

  // Just before an instruction is applied.
  void apply(std::uint32_t instruction, const isa::InstructionInfo& info, const void* record);

 private:
  const isa::Program& program_;
  isa::Execution& execution_;
  const History& history_;
  Findings& findings_;
};

}  // namespace trainyard::checkers
