// Float32 values beside the stored ones of bfloat16 and FP8 tiles, which tell a kernel's rounding
// from its mistakes (policy low_precision = float32; NKI_PRECISE_FP=0). Addresses, layouts and the
// stored bits stay those of the formats, so that views of another dtype see what they would see.
//
// The value of the element at byte b is a float32 at byte 4 b of memories four times as large. It
// counts where it rounds to the stored bits; elsewhere something else has written these since, and
// they count. An instruction is run on float32 copies of its tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/definition.h"
#include "isa/execution.h"
#include "state/core.h"

namespace trainyard::isa {

[[nodiscard]] bool is_low_precision(DType dtype);

class Float32Shadow {
 public:
  // Of a core: `execution` must outlive the shadow. `hbm` is shared by the cores of a stack and
  // comes from make_hbm().
  Float32Shadow(const Execution& execution, std::shared_ptr<state::Hbm> hbm);
  [[nodiscard]] static std::shared_ptr<state::Hbm> make_hbm(const state::Hbm& stack);

  // What isa::execute() and isa::outgoing() do.
  void execute(const InstructionInfo& info, const void* record, Execution& execution);
  [[nodiscard]] std::vector<std::byte> outgoing(const InstructionInfo& info, const void* record,
                                                Execution& execution);

  // One row of a tile of a low precision (see isa/execution.h).
  void load(const Tile& tile, Execution& execution, int p, float* out);
  void store(const Tile& tile, Execution& execution, int p, const float* row);

 private:
  class Widened;

  // Whether the instruction can be run on float32 copies, and gives anything else than as it is.
  [[nodiscard]] bool applies(const InstructionInfo& info, const void* record,
                             const Execution& execution) const;
  [[nodiscard]] bool has_values(const Tile& tile) const;
  // Values beside what an instruction has written as it is count no longer.
  void forget(const InstructionInfo& info, const void* record);
  [[nodiscard]] Tile beside(const Tile& tile) const;

  state::Core values_;
  state::Core copies_;
  std::vector<std::int64_t> value_bases_, copy_bases_;  // by tensor, as Execution::hbm_base
  Execution beside_, apart_;                            // on values_, on copies_
  std::vector<std::byte> stored_, again_, wide_;       // one row, as scratch
};

// Runs an instruction, beside its shadow where the run has one.
void execute(const InstructionInfo& info, const void* record, Execution& execution);
// What an instruction sends to other cores.
[[nodiscard]] std::vector<std::byte> outgoing(const InstructionInfo& info, const void* record,
                                              Execution& execution);

}  // namespace trainyard::isa
