// Check: a matmul accumulates only where an overwriting matmul began the sum, unless the core may
// add to what another engine wrote (v4). Source: nki.isa.nc_matmul, accumulate; machine-core 2.2.
#pragma once

#include "engines/checkers/coverage.h"
#include "engines/checkers/finding.h"
#include "isa/execution.h"
#include "machine/core.h"

namespace trainyard::engines {

class PsumGroupCheck {
 public:
  PsumGroupCheck(const isa::Program& program, const isa::Execution& execution, Findings& findings);

  // Just before an instruction of `engine` is applied.
  void apply(std::uint32_t instruction, isa::Engine engine, const isa::InstructionInfo& info,
             const void* record);

 private:
  const isa::Program& program_;
  Findings& findings_;
  bool any_writer_;  // the sum may begin with another engine's write
  Coverage begun_;   // bytes whose last full write lets a sum go on
};

}  // namespace trainyard::engines
