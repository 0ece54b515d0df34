// Which activation functions share a set of coefficient tables: the Scalar engine holds one set,
// and a function of another set waits for ACT_TABLE_LOAD.
#pragma once

#include <cstdint>

#include "numerics/operators.h"

namespace trainyard::engines {

enum class TableSet : std::uint8_t {
  any,  // in every set ("... and small")
  root,
  exponential,
  reciprocal,
  gelu,
  sigmoid,
  trigonometric,
  error,
  none_loaded,
};

// The names of real sets (reciprocal_sqrt_and_small, natural_log_exp_and_others,
// reciprocal_and_small, gelu_and_others: NEFF reference) show the first four; the rest of the
// assignment is assumed.
[[nodiscard]] TableSet table_set_of(numerics::ActivationFunction function);

}  // namespace trainyard::engines
