// Check: results do not depend on bytes that were never written. Reading such bytes is allowed. A
// value computed from them is undetermined: the bytes it is stored in count as unwritten, from
// instruction to instruction. It is an error in a kernel's results, as an index or offset, in a
// register, and where an instruction has no other result. A tensor's bytes count as written only
// after a write to this tensor, whatever an earlier tensor left in the same memory.
// See docs/decisions/0007.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "checkers/history.h"
#include "checkers/provenance.h"
#include "checkers/tensor_coverage.h"
#include "checkers/trial.h"
#include "isa/core/accumulation.h"
#include "isa/semantics/execution.h"

namespace trainyard::checkers {

class UnwrittenCheck {
 public:
  UnwrittenCheck(const isa::Program& program, isa::Execution& execution, const History& history,
                 Findings& findings);

  // Just before an instruction is applied: follows what it reads to what it writes. `record` has
  // its run-time addresses resolved. True when all that it reads is determined.
  bool apply(std::uint32_t instruction, isa::Engine engine, const isa::InstructionInfo& info,
             const void* record);

  // Which bytes that an instruction sends to other cores are undetermined.
  void sends(std::uint32_t instruction, const isa::InstructionInfo& info, const void* record,
             isa::Message& message);

 private:
  // An instruction that is being applied.
  struct Step {
    std::uint32_t instruction;
    const isa::InstructionInfo& info;
    const void* record;
  };

  void check_indices(const Step& step);
  void decide_by(const Step& step, const isa::OperandInfo& operand, const isa::Tile& tile);
  [[nodiscard]] bool is_determined(const isa::Tile& tile);
  // An undetermined byte of a tile; nothing: all of it is determined.
  [[nodiscard]] std::optional<Coverage::Place> first_undetermined(const isa::Tile& tile);
  [[nodiscard]] std::optional<Coverage::Place> first_undetermined_part(const isa::Tile& tile);
  void write_all(const Step& step);
  void write(const isa::Tile& tile);

  // What it reads is undetermined somewhere.
  void follow(const Step& step);
  [[nodiscard]] bool looks_at_undetermined(const Step& step);
  void looks_at(const Step& step, const Trial::Piece& byte);
  void spread_by_lanes(const Step& step);
  void spread_by_trial(const Step& step);
  void land(const Step& step, const Trial& trial);
  void store(const Step& step, isa::TensorId tensor, std::span<const Trial::Piece> stored);
  void receive(const Step& step);
  [[nodiscard]] Trial trial_of(const Step& step);
  template <typename F>
  void for_each_bytes(const isa::Tile& tile, F&& f);

  // An engine's accumulator of one lane: undetermined at first.
  struct Sum {
    bool determined = false;
    std::uint32_t by = nobody;  // which instruction made it so
  };
  static constexpr std::uint32_t nobody = 0xFFFFFFFFu;
  // What an instruction does to the accumulators of the lanes it runs through.
  struct Sums {
    isa::Accumulation what;
    std::span<Sum> lanes;
    // The first lane in which that is undetermined.
    [[nodiscard]] std::optional<std::size_t> undetermined() const;
  };
  [[nodiscard]] std::optional<Sums> sums_of(const Step& step);
  void accumulate(const Step& step, bool undetermined);
  void give_out(const Step& step, const Sums& sums);

  [[nodiscard]] bool is_seen(isa::TensorId tensor) const;

  const isa::Program& program_;
  isa::Execution& execution_;
  Provenance provenance_;
  TensorCoverage written_;                      // on chip: what is written and determined
  std::vector<bool> whole_written_;             // by tensor: every byte of an HBM tensor is written
  std::vector<Sum> vector_sums_, scalar_sums_;  // by lane
};

// After a run: which bytes of the tensors that a kernel returns were never written.
void check_outputs(const isa::Program& program, std::span<const std::int64_t> hbm_base,
                   const state::Hbm& hbm, Findings& findings);

}  // namespace trainyard::checkers
