// The gradient of attention: probabilities are computed again from the scores and the logarithms
// that the attention left, band by band of queries, for as many keys at a time as PSUM sums.
#pragma once

#include "compiler/lowering/attention/attention_pattern.h"
#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// Operands: queries, keys, values, the gradient of the result, and what the attention left: its
// result in float32, and the logarithms of sums.
// Results: the gradients of queries, keys and values.
inline constexpr std::string_view attention_gradient_name = "trainyard.attention_gradient";
[[nodiscard]] bool is_attention_gradient(const graph::Op& op);

// Whether what all queries of one set of keys need finds room on chip, as does the attention.
[[nodiscard]] bool attention_gradient_fits(const AttentionShape& shape, graph::ElementType operands,
                                           const machine::Core& core);

bool lower_attention_gradient(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
