// Float32 values beside the stored ones of bfloat16 and FP8 tiles, which tell a kernel's rounding
// from its mistakes (policy low_precision = float32; NKI_PRECISE_FP=0). Addresses, layouts and the
// stored bits stay those of the formats, so that views of another dtype see what they would see.
//
// The value of the element at byte b is a float32 at byte 4 b / w of memories 4 / w times as large,
// w being the bytes of an element: two sets of them. It counts where it is what was last written
// there and rounds to the stored bits; elsewhere these count. An instruction is run on float32
// copies of its tiles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/definition.h"
#include "isa/execution.h"
#include "state/core.h"

namespace trainyard::isa {

[[nodiscard]] bool is_low_precision(DType dtype);
// Whether a core of this machine has a shadow.
[[nodiscard]] bool has_shadow(const machine::Core& core);

class Float32Shadow {
 public:
  // What lies beside a stack, shared by its cores: of elements of one byte, and of two.
  using Stacks = std::array<std::shared_ptr<state::Hbm>, 2>;
  [[nodiscard]] static Stacks stacks_beside(const state::Hbm& stack);

  // Of a core: `execution` must outlive the shadow.
  Float32Shadow(const Execution& execution, const Stacks& stacks);

  // What isa::execute() and isa::outgoing() do.
  void execute(const InstructionInfo& info, const void* record, Execution& execution);
  [[nodiscard]] std::vector<std::byte> outgoing(const InstructionInfo& info, const void* record,
                                                Execution& execution);

  // One row of a tile of a low precision (see isa/execution.h). What is beyond the range of a
  // format stays, but where casts saturate (policy cast_overflow): then `row` is what is stored.
  void load(const Tile& tile, Execution& execution, int p, float* out);
  void store(const Tile& tile, Execution& execution, int p, float* row);

 private:
  class Widened;
  // The values of elements of one width.
  struct Values {
    Values(const Execution& of, std::int64_t factor, std::shared_ptr<state::Hbm> stack);
    Values(const Values&) = delete;
    Values& operator=(const Values&) = delete;
    // Which values are in use, one after the other (not byte by byte), and the first of row p of a
    // tile's tensor.
    [[nodiscard]] state::WrittenMap& in_use(const Tile& tile);
    [[nodiscard]] std::int64_t first(const Tile& tile, int p) const;

    std::int64_t factor;  // of the addresses
    state::Core core;
    std::vector<std::int64_t> bases;  // by tensor, as Execution::hbm_base
    Execution execution;
    bool any = false;  // has ever been stored by this core
  };

  // Whether the instruction can be run on float32 copies, and gives anything else than as it is.
  [[nodiscard]] bool applies(const InstructionInfo& info, const void* record,
                             const Execution& execution);
  [[nodiscard]] Values& of(const Tile& tile) { return values_[tile.element_bytes() == 1 ? 0 : 1]; }
  enum class Use : std::uint8_t { none, some, all };
  // Which elements of a row have values in use; if some, those with in_use_[i] != 0.
  [[nodiscard]] Use find_values(const Tile& tile, int p);
  [[nodiscard]] bool has_values(const Tile& tile);
  // Values that lie beside what was written without them are no longer in use.
  static void forget(Values& values, const Tile& tile);
  void forget_written(const InstructionInfo& info, const void* record, Execution& execution);

  std::array<Values, 2> values_;
  state::Core copies_;
  std::vector<std::int64_t> bases_;               // of tensors in copies_
  Execution apart_;                               // on copies_
  std::vector<std::byte> stored_, again_, wide_;  // one row, as scratch
  std::vector<std::uint8_t> in_use_;
  std::vector<float> rounded_;
  bool boxes_ = false;  // whether a tile of the instruction has a NaN
};

// Runs an instruction, beside its shadow where the run has one.
void execute(const InstructionInfo& info, const void* record, Execution& execution);
// What an instruction sends to other cores.
[[nodiscard]] std::vector<std::byte> outgoing(const InstructionInfo& info, const void* record,
                                              Execution& execution);

}  // namespace trainyard::isa
