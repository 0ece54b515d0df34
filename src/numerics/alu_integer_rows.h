// Rows of operators on 32-bit patterns and integers in vector registers, chosen at run time;
// bit-equal to the one-value functions of alu.h. Not for use outside alu_integer.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numerics/operators.h"

namespace trainyard::numerics {

// Everything with an integer form but power and the remainders.
[[nodiscard]] bool has_integer_vector_form(AluOp op);

// One number stands for all places when its step is 0, a row has step 1.
template <typename T>
struct IntegerOperand {
  const T* values;
  std::size_t step;
};
void apply_integer_row(AluOp op, IntegerOperand<std::int32_t> a, IntegerOperand<std::int32_t> b,
                       std::int32_t* out, std::size_t n);
void apply_integer_row(AluOp op, IntegerOperand<std::uint32_t> a, IntegerOperand<std::uint32_t> b,
                       std::uint32_t* out, std::size_t n);

}  // namespace trainyard::numerics
