// Float32 values beside the stored ones of bfloat16 and FP8 tiles, which tell a kernel's rounding
// from its mistakes (policy low_precision = float32; NKI_PRECISE_FP=0). Addresses, layouts and the
// stored bits stay those of the formats, so that views of another dtype see what they would see.
//
// The value of the element at byte b is a float32 at byte 4 b / w of memories 4 / w times as large,
// w being the bytes of an element: two sets of them. It counts where it is what was last written
// there and rounds to the stored bits; elsewhere these count. An instruction that reads values, or
// may make some, is run on float32 copies of its tiles of low precision; any other as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/core/definition.h"
#include "isa/semantics/execution.h"
#include "state/core.h"

namespace trainyard::engines {

[[nodiscard]] bool is_low_precision(isa::DType dtype);
// Whether a core of this machine has a shadow.
[[nodiscard]] bool has_shadow(const machine::Core& core);

class Float32Shadow final : public isa::StandIn {
 public:
  // What lies beside a stack, shared by its cores: of elements of one byte, and of two.
  using Stacks = std::array<std::shared_ptr<state::Hbm>, 2>;
  [[nodiscard]] static Stacks stacks_beside(const state::Hbm& stack);

  // Bytes behind each partition of a core that has a shadow (engines::sizes_of), for copies.
  static constexpr std::int64_t room = std::int64_t{128} << 10;

  // Of a core: `execution` must outlive the shadow.
  Float32Shadow(const isa::Execution& execution, const Stacks& stacks);

  void execute(const isa::InstructionInfo& info, const void* record,
               isa::Execution& execution) override;
  [[nodiscard]] std::vector<std::byte> outgoing(const isa::InstructionInfo& info,
                                                const void* record,
                                                isa::Execution& execution) override;

 private:
  class Rows;
  class Copies;
  // The values of elements of one width.
  struct Values {
    Values(const isa::Execution& of, std::int64_t factor, std::shared_ptr<state::Hbm> stack);
    Values(const Values&) = delete;
    Values& operator=(const Values&) = delete;
    // Which values are in use, one after the other (not byte by byte), and the first of row p of a
    // tile's tensor.
    [[nodiscard]] state::WrittenMap& in_use(const isa::Tile& tile);
    [[nodiscard]] std::int64_t first(const isa::Tile& tile, int p) const;
    template <typename F>
    void for_each_run(const isa::Tile& tile, isa::Execution& of, F&& f);
    // Whether one is in use from the first to the last element of row p.
    [[nodiscard]] bool any_between(const isa::Tile& tile, int p);
    // Whether this core may have values where the tile is; in HBM others store some as well.
    [[nodiscard]] bool& any(const isa::Tile& tile) {
      return any_[static_cast<std::size_t>(tile.space)];
    }

    std::int64_t factor;  // of the addresses
    state::Core core;
    std::vector<std::int64_t> bases;  // by tensor, as Execution::hbm_base
    isa::Execution execution;

   private:
    std::array<bool, 4> any_{false, false, false, true};  // by Space
  };
  // How an instruction is run.
  struct Plan {
    bool on_copies = false;   // else as it is
    bool apart = false;       // the copies are of all tiles, in memories of their own
    std::uint64_t exact = 0;  // sources of low precision that have no values: a bit each, in order
  };

  [[nodiscard]] Plan plan_of(const isa::InstructionInfo& info, const void* record,
                             isa::Execution& execution);
  [[nodiscard]] Values& of(const isa::Tile& tile) {
    return values_[tile.element_bytes() == 1 ? 0 : 1];
  }
  [[nodiscard]] bool has_values(const isa::Tile& tile, isa::Execution& execution);
  // Values that lie beside what was written without them are no longer in use.
  static void forget(Values& values, const isa::Tile& tile, isa::Execution& execution);
  void forget_written(const isa::InstructionInfo& info, const void* record,
                      isa::Execution& execution);

  std::array<Values, 2> values_;
  state::Core copies_;               // of tiles in HBM, and of others that there is no room for
  std::vector<std::int64_t> bases_;  // of tensors in copies_
  isa::Execution apart_;             // on copies_
  std::vector<std::byte> stored_;    // one row, as scratch
  std::vector<float> wide_;          // the same
  bool boxes_ = false;               // whether a tile of the instruction has a NaN
};

}  // namespace trainyard::engines
