// What the operations on matrices share: they know floating-point and complex numbers.
#pragma once

#include <cmath>
#include <complex>

#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

template <typename T>
T conjugate(T value) {
  if constexpr (is_complex_number<T>) {
    return std::conj(value);
  } else {
    return value;
  }
}

// Sums of narrow floats are kept in float64, as a library routine would.
template <typename T>
using Widened = std::conditional_t<std::is_same_v<T, float>, double, T>;

template <typename Action>
Value with_exact_number(const Evaluation& e, Action action) {
  return with_number_of(e.result().element, [&](auto zero) {
    if constexpr (std::is_integral_v<decltype(zero)>) {
      e.refuse("floating-point or complex numbers", to_string(e.result()));
      return Value{};
    } else {
      return action(zero);
    }
  });
}

}  // namespace trainyard::graph
