// The numbers that products multiply.
#pragma once

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/matrix_product.h"

namespace trainyard::graph {

// Integers multiply modulo 2^64 whatever their sign; so do booleans, whose sum is then "any".
template <typename Action>
auto with_product_number(ElementType type, Action action) {
  return with_number_of(type, [&](auto zero) {
    if constexpr (std::is_integral_v<decltype(zero)>) {
      return action(std::uint64_t{});
    } else {
      return action(zero);
    }
  });
}

template <typename T>
std::vector<T> product_numbers(const Value& value) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    const std::vector<std::int64_t> all = integers_in(value);
    return {all.begin(), all.end()};
  } else {
    return numbers<T>(value);
  }
}

}  // namespace trainyard::graph
