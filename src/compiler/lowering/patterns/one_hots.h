// Rows that are 1 in the place that a label names and 0 elsewhere, as jax.nn.one_hot makes them:
// which values are such, and sums along rows of what they are multiplied with, as losses have them,
// as the one element that counts. What the zeros are multiplied with is not read, whether it is
// finite or not: XLA, too, makes a choice of a product with converted truth values.
#pragma once

#include <optional>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/builder.h"
#include "graph/module.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

struct OneHot {
  graph::ValueId labels = 0;  // [rows..., columns], s32: the same along each row
  bool is_negated = false;    // -1 in that place
};
// Where a value [rows..., columns] is one. A row whose label is outside is 0.
[[nodiscard]] std::optional<OneHot> one_hot(const Definitions& definitions, graph::ValueId value);

// The first column, [rows..., 1], of a value whose columns are equal; nothing, and nothing written,
// where they are not known to be.
[[nodiscard]] std::optional<graph::ValueId> column_of(const Definitions& definitions,
                                                      graph::ValueId value, graph::Builder write);

// Whether an operation reduces the last dimension alone, from the operator's own beginning on.
[[nodiscard]] bool reduces_rows(const Definitions& definitions, const graph::Op& op,
                                numerics::AluOp how);

void pick_one_hots(graph::Module& module);

}  // namespace trainyard::compiler
