// Elementwise operators from stored rows to a stored row without float32 rows in between: what
// widen, apply and narrow compute one after the other, in vector registers, and bit-equal to them.
// A fast path: not every format and operator has it.
#pragma once

#include <cstddef>
#include <span>

#include "numerics/dtype.h"
#include "numerics/operators.h"

namespace trainyard::numerics {

// Rows of one format, one after the other. The elements of a row are contiguous, of any alignment.
struct StoredRows {
  DType dtype = DType::float32;
  const std::byte* elements = nullptr;
  std::ptrdiff_t stride = 0;  // bytes from row to row
};

// x = x op other, or other op x when reversed, which one-operand operators ignore. `other` is rows,
// or a number for each row when rows.elements is null, or one number when both are.
struct StoredStep {
  AluOp op = AluOp::bypass;
  bool reversed = false;
  StoredRows rows{};
  const float* numbers = nullptr;
  float number = 0;
};

struct StoredResult {
  DType dtype = DType::float32;
  std::byte* elements = nullptr;
  std::ptrdiff_t stride = 0;
};

inline constexpr std::size_t stored_steps_max = 4;

[[nodiscard]] bool has_stored_form(DType dtype);
[[nodiscard]] bool has_stored_form(AluOp op);

// out[r][i] = the steps applied in order to source[r][i], each rounded to float32, narrowed to
// nearest even with Overflow::format, row after row. There is at least one step: it gives every NaN
// its one pattern. Every format and operator has a stored form. A row of `out` may be exactly one
// of the rows that are read when the formats are the same, and otherwise overlaps none.
void apply_stored(StoredRows source, std::span<const StoredStep> steps, StoredResult out,
                  std::size_t rows, std::size_t n);

}  // namespace trainyard::numerics
