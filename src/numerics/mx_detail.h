// Shared inside the MX arithmetic (mx*.cpp): argument checks, the plain quantiser of a range of
// columns, and integer digits of operands. Not for other folders.
#pragma once

#include "numerics/mx.h"

namespace trainyard::numerics {

void check_quantize(ConstRows source, std::size_t P, std::size_t F, Rows data,
                    MxMutableScaleRows scales);

// The plain definition for the columns [first, F) of all partitions.
void quantize_mx_columns(ConstRows source, std::size_t P, std::size_t first, std::size_t F,
                         Rows data, MxMutableScaleRows scales, MxQuantizeRule rule);

void check_matmul(const MxOperand& stationary, const MxOperand& moving, std::size_t K);

// Layout of MxDigits. An operand is cut into panels of W columns (packed elements): 4 for the
// left operand, one tile's columns (8 or 32) for the right one. Row k of panel i is row i *
// K + k of
//   digits: 2 W integers, a vector (or 4) of columns at a time: first the even pairs (values 0 and
//           2, 16 bits each, value 0 low), then the odd pairs (values 1 and 3), rounded down. In
//           the left operand their eighths follow, rounded down: 4 W integers;
//   low_digits: as many: what digits leave of values, in eighths of the unit, or, right e5m2, in
//           2^-16 of it (then digits are rounded to nearest, not down); only rows flagged low (of
//           the left operand the first half);
//   flags:  one byte a row, of MxFlag; all_flags: any row's;
//   values: 4 W doubles a row, value q of all columns before value q + 1, times the block's scale;
//   only rows flagged inexact.
// scale holds W floats for each row of blocks of a panel: the block's unit times its scale.
inline constexpr std::size_t mx_left_panel = 4, mx_right_panel = 32;  // 32 is the widest
// Left columns whose outputs are stored together where they are columns of the output: two lines of
// each row.
inline constexpr std::size_t mx_group = 32;
inline constexpr std::size_t mx_left_row = 4 * mx_left_panel;  // in integers
// Bits of the digits' magnitudes, of which one beside wide low digits may also be -2^15. Four
// products stay below 2^31 because no significand exceeds 15/8.
inline constexpr int mx_left_bits = 14, mx_right_bits = 15;
// Those of low digits, which make all values of a right e4m3fn block exact: 18 bits.
inline constexpr int mx_low_bits = 3;
// Those of a right e5m2 block: 31 bits.
inline constexpr int mx_wide_low_bits = 16;
// Where a left block has bits to spare, its digits beside narrow low ones are multiples of eight.
inline constexpr int mx_left_spare = mx_low_bits;

enum MxFlag : std::uint8_t {
  mx_inexact = 1,  // some element has no digits, or more than digits and low digits hold
  mx_low = 2,      // some element has low digits
  // Left: products of the first column's digits with low digits need more than one integer,
  // or, where these are wide, two of 24 bits; of the others: the bits above.
  mx_long_column = 4,
};
static_assert(mx_left_panel == 4);
// Does a step of such rows need their values?
[[nodiscard]] constexpr bool needs_values(std::uint8_t left, std::uint8_t right, bool wide_low) {
  return ((left | right) & mx_inexact) != 0 || (wide_low && (left & right & mx_low) != 0);
}

// Columns [first, first + columns) of an operand of K partitions, in packed elements.
struct MxColumns {
  const MxOperand& operand;
  std::size_t K, first, columns;
  bool wide_low;  // the right operand's low digits are wide: it is e5m2
};

// out[left][right], or out[right][left] if transposed, (+)= the product of the operands' columns.
struct MxProblem {
  MxColumns left, right;
  const MxDigits &left_digits, &right_digits;
  bool transposed;
  float* out;
  std::size_t out_ld;
  bool accumulate;
  float* columns;  // room for the sums of a group of left columns: [right columns][mx_group]
};

}  // namespace trainyard::numerics
