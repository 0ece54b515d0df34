// Attention on one core: bands of queries, whose scores and probabilities stay on chip. The tensor
// engine computes scores of one band and the result of an earlier one, while Vector and Scalar make
// probabilities and the DMA engines turn them.
#pragma once

#include "compiler/lowering/attention/attention_pattern.h"
#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// Whether a band's values and the keys find room on chip. `operands`: queries and keys; `values`.
[[nodiscard]] bool attention_fits(const AttentionShape& shape, graph::ElementType operands,
                                  graph::ElementType values, const machine::Core& core);

// The composite of attention_pattern.h.
bool lower_attention(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
