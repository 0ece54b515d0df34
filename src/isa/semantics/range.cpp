#include "isa/semantics/range.h"

namespace trainyard::isa::range {

using numerics::AluOp;

Interval where(AluOp op, float bound, std::int64_t start, std::size_t n) {
  // The first i for which position op bound is no longer true, given that it is true up to there.
  const auto first_false = [&](AluOp prefix) {
    std::size_t low = 0, high = n;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const auto position = static_cast<float>(start + static_cast<std::int64_t>(middle));
      if (numerics::apply(prefix, position, bound) != 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  if (bound != bound) return {};  // nothing compares true with NaN
  switch (op) {
    case AluOp::less: return {0, first_false(AluOp::less)};
    case AluOp::less_equal: return {0, first_false(AluOp::less_equal)};
    case AluOp::greater: return {first_false(AluOp::less_equal), n};
    case AluOp::greater_equal: return {first_false(AluOp::less), n};
    default: return {first_false(AluOp::less), first_false(AluOp::less_equal)};
  }
}

}  // namespace trainyard::isa::range
