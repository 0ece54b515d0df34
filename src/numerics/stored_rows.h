// Elementwise operators from stored rows to a stored row without float32 rows in between: what
// widen, apply and narrow compute one after the other, in vector registers, and bit-equal to them.
// A fast path: not every format and operator has it.
#pragma once

#include <cstddef>
#include <span>

#include "numerics/dtype.h"
#include "numerics/operators.h"

namespace trainyard::numerics {

struct StoredRow {
  DType dtype = DType::float32;
  const std::byte* elements = nullptr;  // contiguous, of any alignment
};

// x = x op other, or other op x when reversed, which one-operand operators ignore. `other` is a
// row, or a number when row.elements is null.
struct StoredStep {
  AluOp op = AluOp::bypass;
  bool reversed = false;
  StoredRow row{};
  float number = 0;
};

inline constexpr std::size_t stored_steps_max = 4;

[[nodiscard]] bool has_stored_form(DType dtype);
[[nodiscard]] bool has_stored_form(AluOp op);

// out[i] = the steps applied in order to source[i], each rounded to float32, narrowed to nearest
// even with Overflow::format. There is at least one step: it gives every NaN its one pattern. Every
// format and operator has a stored form. `out` may be exactly one of the rows that are read when
// the formats are the same, and otherwise overlaps none.
void apply_stored(StoredRow source, std::span<const StoredStep> steps, DType dtype, std::byte* out,
                  std::size_t n);

}  // namespace trainyard::numerics
