// Products of row-major matrices, the only heavy loop of the evaluator.
#pragma once

#include <cstddef>

namespace trainyard::graph {

// out[m, n] = sum over k, in order, of a[m, k] * b[k, n]; `out` is written, not added to.
// Instantiated for the six computing types.
template <typename T>
void matrix_product(const T* a, const T* b, T* out, std::size_t m, std::size_t k, std::size_t n);

}  // namespace trainyard::graph
