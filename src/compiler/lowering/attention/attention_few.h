// Attention of few queries each by many keys, as in a decode step: the queries of several batches
// stand on the partitions side by side, and each batch's product has its own columns of the array.
#pragma once

#include "compiler/lowering/attention/attention_pattern.h"
#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

[[nodiscard]] bool few_queries_fit(const AttentionShape& shape, graph::ElementType operands,
                                   graph::ElementType values, const machine::Core& core);

// The composite of attention_pattern.h.
bool lower_few_queries(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
