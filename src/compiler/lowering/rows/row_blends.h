// Sums of two scaled values as the array adds them: a value as it is, and another one times one
// number a row, as products with diagonal matrices.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "compiler/lowering/emit/emitter.h"
#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// The joined plan with sums a * r + b * c of 16-bit values, as gradients of norms end with, as
// (a + b * (c / r)) * r, where r is a root's inverse, which is not 0: the array adds, and one pass
// scales what it has added, where three passes would scale and add. Nothing where it has none.
[[nodiscard]] std::optional<RowPlan> with_blends(const RowPlan& plan);

// What the array takes for a band of so many columns, of a plan that has blends.
[[nodiscard]] base::Ticks array_time(const RowPlan& plan, std::int64_t columns,
                                     const machine::Core& core);

// Columns of a sum that fit in a bank of PSUM.
[[nodiscard]] inline std::int64_t blend_columns(const machine::Core& core) {
  return core.psum.bank_size.value / 4;
}

// Diagonal matrices of one core.
class Diagonals {
 public:
  explicit Diagonals(Emitter& emitter) : emitter_(emitter) {}

  // Forgets what another core has.
  void begin() { identity_ = {}; }
  // 1 on the diagonal, in bfloat16.
  [[nodiscard]] const isa::Tile& identity();
  // Of float32 numbers [rows, 1] two matrices whose sum has them, to 16 bits.
  [[nodiscard]] std::pair<isa::Tile, isa::Tile> of(const isa::Tile& numbers);

 private:
  Emitter& emitter_;
  isa::Tile identity_{};
};

}  // namespace trainyard::compiler
