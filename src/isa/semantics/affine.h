// The integer sequences that iota and affine_select make: a pattern of up to four nested counters.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/core/operand.h"
#include "numerics/operators.h"

namespace trainyard::isa::affine {

[[nodiscard]] std::int64_t elements(const Pattern& pattern);

// offset + the sum of step * index over the pattern, last dimension fastest, in wrapping int32
// arithmetic.
void fill(const Pattern& pattern, std::int32_t offset, std::vector<std::int32_t>& values);

// a + b and a * b, wrapping like the GpSimd cores (assumed).
[[nodiscard]] constexpr std::int32_t add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
[[nodiscard]] constexpr std::int32_t multiply(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

// Consecutive places of a row.
struct Run {
  std::size_t begin = 0, end = 0;
};

// Where the values of a pattern compare false with 0, row after row.
class Places {
 public:
  Places(const Pattern& pattern, numerics::AluOp cmp_op);
  // The places i for which value i cmp_op 0 is false, in order; values as fill() makes them.
  [[nodiscard]] const std::vector<Run>& of(std::int32_t offset);

 private:
  void append(std::int64_t begin, std::int64_t end);
  void append_counted(std::int64_t place, std::int64_t first);
  void append_wrapped(std::int64_t place, std::int32_t first);

  Dim inner_{0, 1};
  std::vector<std::int32_t> outer_;  // values at the beginnings of the last dimension, at offset 0
  bool below_, at_, above_;          // is the comparison false of such values?
  std::vector<Run> runs_;
};

}  // namespace trainyard::isa::affine
