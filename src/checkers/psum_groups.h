// Checks of sums in PSUM: a matmul accumulates only where a sum was begun (by an overwriting
// matmul, or on v4 by any write), in the format it was begun in, and sums are read whole and before
// they are overwritten. Source: nki.isa.nc_matmul, accumulate; machine-core 2.2.
#pragma once

#include "checkers/history.h"
#include "checkers/tensor_coverage.h"
#include "isa/semantics/execution.h"

namespace trainyard::checkers {

class PsumGroupCheck {
 public:
  PsumGroupCheck(const isa::Program& program, const isa::Execution& execution,
                 const History& history, Findings& findings);

  // Just before an instruction of `engine` is applied.
  void apply(std::uint32_t instruction, isa::Engine engine, const isa::InstructionInfo& info,
             const void* record);

 private:
  void begin(std::uint32_t instruction, const isa::Tile& tile);
  void add(std::uint32_t instruction, const isa::Tile& tile);
  void read(const isa::Tile& tile);
  void overwritten_by_another(const isa::Tile& tile);
  void set_width(const isa::Tile& tile);
  void report(std::string_view id, std::uint32_t instruction, std::string_view role,
              std::string_view other_role, const isa::Tile& tile, Coverage::Place place,
              std::string_view found);

  const isa::Program& program_;
  const History& history_;
  Findings& findings_;
  bool any_writer_;          // the sum may begin with another engine's write
  TensorCoverage begun_;     // bytes whose last full write lets a sum go on
  TensorCoverage narrow_;    // of those, the ones begun in 16 bits
  TensorCoverage unread_;    // bytes of sums that nothing has read since they were begun
  TensorCoverage consumed_;  // bytes of sums that something has read
};

}  // namespace trainyard::checkers
