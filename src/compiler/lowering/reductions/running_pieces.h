// Running sums, products and maxima of few long rows: each row in pieces, on partitions apart.
#pragma once

#include <cstddef>

#include "compiler/lowering/emit/emitter.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

// As run_along. A first pass reduces the pieces, their results run along, and a second pass runs
// along each piece from what is before it. Rows may be columns of a narrow matrix: what lies behind
// `dim`. False, and nothing emitted, where rows fill the partitions, or are short.
[[nodiscard]] bool run_in_pieces(Emitter& emitter, numerics::AluOp op, const Strided& from,
                                 const Strided& to, std::size_t dim);

}  // namespace trainyard::compiler
