// The gradient of attention as JAX derives it from softmax(scale * queries keys, masked) values,
// found in a tensor program.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "compiler/lowering/attention/attention_pattern.h"

namespace trainyard::compiler {

// The operations of one region that read each value.
using Readers = std::map<graph::ValueId, std::vector<const graph::Op*>>;

struct AttentionGradient {
  AttentionShape shape{};                                       // without result_dims
  graph::ValueId queries = 0, keys = 0, values = 0, given = 0;  // given: of the result
  graph::ValueId of_queries = 0, of_keys = 0, of_values = 0;    // the gradients
  graph::ValueId power = 0;                                     // the exponentials of the attention
  // As AttentionShape's: outer..., row, depth or column.
  std::vector<std::int64_t> given_dims{}, of_query_dims{}, of_key_dims{}, of_value_dims{};
  std::set<const graph::Op*> members{};   // all that may go
  std::set<const graph::Op*> roots{};     // what makes the gradients
  std::set<const graph::Op*> products{};  // that read `given`
};

// At the product of the exponentials with the rest of the scores' gradient.
[[nodiscard]] std::optional<AttentionGradient> attention_gradient(const graph::Function& function,
                                                                  const Definitions& definitions,
                                                                  const Readers& readers,
                                                                  const machine::Core& core,
                                                                  const graph::Op& op);

}  // namespace trainyard::compiler
