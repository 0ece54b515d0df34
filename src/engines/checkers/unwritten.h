// Check: no instruction reads bytes that nothing ever wrote. Exact, byte by byte, for every dtype.
// Memory that a new tensor takes over counts as unwritten again.
#pragma once

#include <vector>

#include "engines/checkers/coverage.h"
#include "engines/checkers/history.h"
#include "isa/execution.h"

namespace trainyard::engines {

class UnwrittenCheck {
 public:
  UnwrittenCheck(const isa::Program& program, isa::Execution& execution, const History& history,
                 Findings& findings);

  // Just before an instruction is applied: what it reads must be written, and what it writes then
  // is. `record` has its run-time addresses resolved.
  void apply(std::uint32_t instruction, const isa::InstructionInfo& info, const void* record);

 private:
  void adopt(const isa::Tile& tile);
  void read(std::uint32_t instruction, const isa::OperandInfo& operand, const isa::Tile& tile);
  void write(const isa::Tile& tile);
  [[nodiscard]] Coverage& coverage(isa::Space space) {
    return space == isa::Space::sbuf ? sbuf_ : psum_;
  }
  void report(std::uint32_t instruction, const isa::OperandInfo& operand, const isa::Tile& tile,
              const std::string& where);

  const isa::Program& program_;
  isa::Execution& execution_;
  const History& history_;
  Findings& findings_;
  Coverage sbuf_, psum_;
  std::vector<bool> adopted_;        // by tensor: has been touched before
  std::vector<bool> whole_written_;  // by tensor: every byte of an HBM tensor is written
};

// After a run: which bytes of the tensors that a kernel returns were never written.
void check_outputs(const isa::Program& program, std::span<const std::int64_t> hbm_base,
                   const state::Hbm& hbm, Findings& findings);

}  // namespace trainyard::engines
