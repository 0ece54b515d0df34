// Reductions of elements that lie apart in memory, with others between them that are kept: whole
// rows of those are combined one after the other, or added by the tensor engine. Brought together
// row by row, each element would be a transfer of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/values/group.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

struct Apart {
  numerics::AluOp op;
  double initial;
  isa::DType out;
  std::span<const std::int64_t> dims;  // that are reduced
  std::vector<std::int64_t> shape;     // of the group's root
};

// The reduced value, of the other dimensions; nothing where it is better computed along its rows.
[[nodiscard]] std::optional<Strided> reduce_apart(Segment& segment, Group& group, const Apart& how);

}  // namespace trainyard::compiler
