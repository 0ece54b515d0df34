// A recurrence along the last dimension as one operation: what a loop does whose state is
// multiplied and added to in each turn. It is a `composite` of that name with the operands factors
// [T, ...], summands [T, ...] and initial [...], in float32, and the result [T, ...]:
//   result[t] = factors[t] * result[t - 1] + summands[t], with result[-1] = initial,
// each product and each sum rounded.
#pragma once

#include <string_view>

#include "graph/module.h"

namespace trainyard::graph {

inline constexpr std::string_view linear_scan_name = "trainyard.linear_scan";
[[nodiscard]] inline bool is_linear_scan(const Op& op) {
  return op.kind == OpKind::composite && op.text("name") == linear_scan_name;
}

}  // namespace trainyard::graph
