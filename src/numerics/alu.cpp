#include "numerics/alu.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "numerics/alu_rows.h"
#include "numerics/convert.h"
#include "numerics/elementary.h"

namespace trainyard::numerics {

namespace {

constexpr float nan = std::bit_cast<float>(0x7FC00000u);
constexpr float infinity = std::numeric_limits<float>::infinity();

bool is_nan(float x) { return x != x; }
std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
float magnitude(float x) { return std::bit_cast<float>(bits_of(x) & 0x7FFFFFFFu); }
float truth(bool x) { return x ? 1.0f : 0.0f; }

float maximum(float a, float b) {
  if (is_nan(a) || is_nan(b)) return nan;
  if (a == b) return std::bit_cast<float>(bits_of(a) & bits_of(b));  // only zeros differ in bits
  return a > b ? a : b;
}

float minimum(float a, float b) {
  if (is_nan(a) || is_nan(b)) return nan;
  if (a == b) return std::bit_cast<float>(bits_of(a) | bits_of(b));
  return a < b ? a : b;
}

float value_of(AluOp op, float a, float b) {
  switch (op) {
    case AluOp::bypass: return a;
    case AluOp::add: return a + b;
    case AluOp::subtract: return a - b;
    case AluOp::multiply: return a * b;
    case AluOp::divide: return a / b;
    case AluOp::maximum: return maximum(a, b);
    case AluOp::minimum: return minimum(a, b);
    case AluOp::abs_max: return is_nan(a) ? a : magnitude(a) > magnitude(b) ? a : b;
    case AluOp::abs_min: return is_nan(a) ? a : magnitude(a) < magnitude(b) ? a : b;
    case AluOp::equal: return truth(a == b);
    case AluOp::not_equal: return truth(a != b);
    case AluOp::less: return truth(a < b);
    case AluOp::less_equal: return truth(a <= b);
    case AluOp::greater: return truth(a > b);
    case AluOp::greater_equal: return truth(a >= b);
    case AluOp::logical_and: return truth(a != 0 && b != 0);
    case AluOp::logical_or: return truth(a != 0 || b != 0);
    case AluOp::logical_xor: return truth((a != 0) != (b != 0));
    case AluOp::power: return power(a, b);
    case AluOp::rsqrt: return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a)));
    case AluOp::reciprocal: return 1.0f / a;
    case AluOp::abs: return magnitude(a);
    case AluOp::square: return a * a;
    case AluOp::relu: return a > 0 || is_nan(a) ? a : 0.0f;
    case AluOp::fmod: return remainder_of_dividend_sign(a, b);
    case AluOp::mod: return remainder_of_divisor_sign(a, b);
    default: base::fail("this operator has no float32 form for two values");
  }
}

}  // namespace

float apply(AluOp op, float a, float b) {
  const float value = value_of(op, a, b);
  return is_nan(value) ? nan : value;
}

void apply(AluOp op, const float* a, const float* b, float* out, std::size_t n) {
  if (has_vector_form(op)) return apply_row(op, {a, true}, {b, true}, out, n);
  for (std::size_t i = 0; i < n; ++i) out[i] = apply(op, a[i], b[i]);
}

void apply_scalar(AluOp op, const float* a, float b, bool reversed, float* out, std::size_t n) {
  const Operand row{a, true}, scalar{&b, false};
  if (is_unary(op)) reversed = false;
  if (has_vector_form(op))
    return apply_row(op, reversed ? scalar : row, reversed ? row : scalar, out, n);
  for (std::size_t i = 0; i < n; ++i) out[i] = reversed ? apply(op, b, a[i]) : apply(op, a[i], b);
}

bool is_float_reduction(AluOp op) {
  switch (op) {
    case AluOp::add:
    case AluOp::subtract:
    case AluOp::multiply:
    case AluOp::maximum:
    case AluOp::minimum:
    case AluOp::abs_max:
    case AluOp::abs_min:
    case AluOp::logical_and:
    case AluOp::logical_or:
    case AluOp::logical_xor:
    case AluOp::average: return true;
    default: return false;
  }
}

float reduction_identity(AluOp op) {
  switch (op) {
    case AluOp::multiply:
    case AluOp::logical_and: return 1.0f;
    case AluOp::maximum: return -infinity;
    case AluOp::minimum:
    case AluOp::abs_min: return infinity;
    default: return 0.0f;
  }
}

bool is_chain(AluOp op) {
  return op == AluOp::add || op == AluOp::average || op == AluOp::subtract || op == AluOp::multiply;
}

namespace {

// A NaN stays a NaN through additions and multiplications, so it is made the one quiet NaN only at
// the end.
template <class Operation>
void reduce_together(Operation operation, const float* x, std::size_t rows, std::size_t stride,
                     std::size_t n, float* accumulators) {
  constexpr std::size_t together =
      4;  // independent chains hide the latency of one, and the compiler unrolls four
  std::size_t r = 0;
  for (; r + together <= rows; r += together, x += together * stride) {
    std::array<float, together> sums;
    std::copy_n(accumulators + r, together, sums.begin());
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < together; ++k) sums[k] = operation(sums[k], x[k * stride + i]);
    }
    std::copy_n(sums.begin(), together, accumulators + r);
  }
  for (; r < rows; ++r, x += stride) {
    for (std::size_t i = 0; i < n; ++i) accumulators[r] = operation(accumulators[r], x[i]);
  }
}

void chain_plainly(AluOp op, const float* x, std::size_t rows, std::size_t stride, std::size_t n,
                   float* accumulators) {
  switch (op) {
    case AluOp::subtract:
      reduce_together(std::minus<float>(), x, rows, stride, n, accumulators);
      break;
    case AluOp::multiply:
      reduce_together(std::multiplies<float>(), x, rows, stride, n, accumulators);
      break;
    default: reduce_together(std::plus<float>(), x, rows, stride, n, accumulators);
  }
}

void reduce_chains(AluOp op, const float* x, std::size_t rows, std::size_t stride, std::size_t n,
                   float* accumulators) {
  if (n == 0) return;
  const Chained done = chain_rows(op, x, rows, stride, n, accumulators);
  chain_plainly(op, x + done.columns, done.rows, stride, n - done.columns, accumulators);
  chain_plainly(op, x + done.rows * stride, rows - done.rows, stride, n, accumulators + done.rows);
  for (std::size_t r = 0; r < rows; ++r) accumulators[r] = apply(AluOp::bypass, accumulators[r], 0);
}

}  // namespace

float reduce(AluOp op, const float* x, std::size_t n, float initial) {
  base::check(is_float_reduction(op), "this operator cannot reduce a row");
  if (is_chain(op)) {
    reduce_chains(op, x, 1, 0, n, &initial);
    return initial;
  }
  if (n != 0 && (op == AluOp::maximum || op == AluOp::minimum))
    return extreme_of_row(op, x, n, initial);
  if (n != 0 && (op == AluOp::abs_max || op == AluOp::abs_min)) {
    return extreme_magnitude_of_row(op, x, n, initial);
  }
  for (std::size_t i = 0; i < n; ++i) initial = apply(op, initial, x[i]);
  return initial;
}

void reduce_rows(AluOp op, const float* x, std::size_t rows, std::size_t stride, std::size_t n,
                 float* accumulators) {
  if (is_chain(op)) return reduce_chains(op, x, rows, stride, n, accumulators);
  for (std::size_t r = 0; r < rows; ++r)
    accumulators[r] = reduce(op, x + r * stride, n, accumulators[r]);
}

namespace {

void reduce_widened(AluOp op, DType dtype, const std::byte* x, std::size_t rows,
                    std::ptrdiff_t stride, std::size_t n, float* accumulators) {
  constexpr std::size_t together = 16, columns = 256;
  alignas(64) std::array<float, together * columns> block;
  const auto width = static_cast<std::size_t>(size_in_bytes(dtype));
  for (std::size_t first = 0; first < rows; first += together) {
    const std::size_t some = std::min(together, rows - first);
    for (std::size_t at = 0; at < n; at += columns) {
      const std::size_t part = std::min(columns, n - at);
      for (std::size_t r = 0; r < some; ++r) {
        const std::byte* row = x + static_cast<std::ptrdiff_t>(first + r) * stride;
        widen(dtype, row + at * width, &block[r * columns], part);
      }
      reduce_rows(op, block.data(), some, columns, part, accumulators + first);
    }
  }
}

}  // namespace

void reduce_rows(AluOp op, DType dtype, const std::byte* x, std::size_t rows, std::ptrdiff_t stride,
                 std::size_t n, float* accumulators) {
  if (dtype == DType::float32) {
    const auto floats = static_cast<std::size_t>(stride) / sizeof(float);
    return reduce_rows(op, reinterpret_cast<const float*>(x), rows, floats, n, accumulators);
  }
  Chained done;
  if (dtype == DType::bfloat16 && is_chain(op))
    done = chain_bfloat16_rows(op, x, rows, stride, n, accumulators);
  const auto width = static_cast<std::size_t>(size_in_bytes(dtype));
  reduce_widened(op, dtype, x + done.columns * width, done.rows, stride, n - done.columns,
                 accumulators);
  reduce_widened(op, dtype, x + static_cast<std::ptrdiff_t>(done.rows) * stride, rows - done.rows,
                 stride, n, accumulators + done.rows);
  for (std::size_t r = 0; r < done.rows; ++r)
    accumulators[r] = apply(AluOp::bypass, accumulators[r], 0);
}

}  // namespace trainyard::numerics
