// Finds the gradients of gelu as JAX writes them out: a value times the derivative, in both forms.
#pragma once

#include <functional>
#include <optional>

#include "compiler/lowering/canonical/definitions.h"

namespace trainyard::compiler {

// A value times a function's derivative at x.
struct Scaled {
  graph::ValueId factor, x;
};

// x where the value is erfc(x).
using FindErfc = std::function<std::optional<graph::ValueId>(graph::ValueId)>;

// Of x/2 erfc(-x / sqrt(2)).
[[nodiscard]] std::optional<Scaled> gelu_gradient(const Definitions& definitions,
                                                  const graph::Op& root, const FindErfc& erfc_of);
// Of x/2 (1 + tanh(u)).
[[nodiscard]] std::optional<Scaled> gelu_tanh_gradient(const Definitions& definitions,
                                                       const graph::Op& root);

// x where the operation is tanh(sqrt(2/pi) (x + 0.044715 x^3)).
[[nodiscard]] std::optional<graph::ValueId> gelu_tanh_argument(const Definitions& definitions,
                                                               const graph::Op& tanh);

}  // namespace trainyard::compiler
