// Rows of float32 operators in vector registers, chosen at run time; bit-equal to apply() of alu.h,
// which decides what comes here. Not for use outside alu.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numerics/operators.h"

namespace trainyard::numerics {

// A row of numbers, or one number for all places.
struct Operand {
  const float* values;
  bool is_row;
};

// Every operator with a vector form: all of apply() but the remainders.
[[nodiscard]] bool has_vector_form(AluOp op);
void apply_row(AluOp op, Operand a, Operand b, float* out, std::size_t n);

// add (or average), subtract or multiply along the first columns of the first rows, in index order
// from the accumulators on; returns how many of both were done. A NaN may have any pattern.
struct Chained {
  std::size_t rows = 0, columns = 0;
};
[[nodiscard]] Chained chain_rows(AluOp op, const float* x, std::size_t rows, std::size_t stride,
                                 std::size_t n, float* accumulators);
// The same of bfloat16 rows that start `stride` bytes apart.
[[nodiscard]] Chained chain_bfloat16_rows(AluOp op, const std::byte* x, std::size_t rows,
                                          std::ptrdiff_t stride, std::size_t n,
                                          float* accumulators);

// The largest or smallest of a row and `initial`, by apply()'s maximum or minimum, which are
// associative and commutative.
[[nodiscard]] float extreme_of_row(AluOp op, const float* x, std::size_t n, float initial);

// The smallest and largest magnitude of a row as integer patterns, which are ordered like
// magnitudes; NaN lies on top.
struct Magnitudes {
  std::int32_t smallest, largest;
};

// abs_max or abs_min of `initial` and then the row, in index order: the last number of the winning
// magnitude. n > 0.
[[nodiscard]] float extreme_magnitude_of_row(AluOp op, const float* x, std::size_t n,
                                             float initial);

}  // namespace trainyard::numerics
