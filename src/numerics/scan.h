// A recurrence along rows: state = (a op0 state) op1 b, every operator in float32 as in alu.h.
// Rows are independent of each other.
#pragma once

#include <cstddef>

#include "numerics/operators.h"

namespace trainyard::numerics {

struct Recurrence {
  AluOp op0 = AluOp::multiply, op1 = AluOp::add;
  bool reverse0 = false;  // state op0 a
  bool reverse1 = false;  // b op1 (result of op0)
};

// Rows that are worth handing over at once: their chains hide each other's latency.
inline constexpr std::size_t scan_rows_together = 8;

// out[r][i] = the state of row r after its element i; states[r] is the one before its first. Rows
// of a, b and out start `stride` elements apart; out may be a or b.
void scan_rows(const Recurrence& recurrence, const float* a, const float* b, float* out,
               std::size_t rows, std::size_t stride, std::size_t n, const float* states);

}  // namespace trainyard::numerics
