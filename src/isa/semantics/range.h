// Where consecutive positions compare true with a bound: always an interval, because positions
// ascend. range_select is made of two of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "numerics/alu.h"

namespace trainyard::isa::range {

struct Interval {
  std::size_t begin = 0, end = 0;  // empty when equal
};

[[nodiscard]] inline bool is_interval(numerics::AluOp op) {
  return numerics::is_comparison(op) && op != numerics::AluOp::not_equal;
}

// The i < n for which float32(start + i) op bound.
[[nodiscard]] Interval where(numerics::AluOp op, float bound, std::int64_t start, std::size_t n);

[[nodiscard]] inline Interval intersection(Interval a, Interval b) {
  const std::size_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

}  // namespace trainyard::isa::range
