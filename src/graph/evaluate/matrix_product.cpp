#include "graph/evaluate/matrix_product.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>

namespace trainyard::graph {

namespace {

constexpr std::size_t rows_at_once = 4, columns_at_once = 16;

// A block of the result whose sums stay in registers. Every element adds up its products in the
// order of k, so the blocks change nothing but the speed.
template <typename T, std::size_t rows>
void block(const T* a, const T* b, T* out, std::size_t k, std::size_t n) {
  std::array<std::array<T, columns_at_once>, rows> sums{};
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t row = 0; row < rows; ++row) {
      const T factor = a[row * k + i];
      for (std::size_t column = 0; column < columns_at_once; ++column) {
        sums[row][column] += factor * b[i * n + column];
      }
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy(sums[row].begin(), sums[row].end(), out + row * n);
  }
}

template <typename T>
void narrow(const T* a, const T* b, T* out, std::size_t k, std::size_t n, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    T sum{};
    for (std::size_t i = 0; i < k; ++i) sum += a[i] * b[i * n + column];
    out[column] = sum;
  }
}

}  // namespace

template <typename T>
void matrix_product(const T* a, const T* b, T* out, std::size_t m, std::size_t k, std::size_t n) {
  std::size_t column = 0;
  for (; column + columns_at_once <= n; column += columns_at_once) {
    std::size_t row = 0;
    for (; row + rows_at_once <= m; row += rows_at_once) {
      block<T, rows_at_once>(a + row * k, b + column, out + row * n + column, k, n);
    }
    for (; row < m; ++row) block<T, 1>(a + row * k, b + column, out + row * n + column, k, n);
  }
  for (std::size_t row = 0; column < n && row < m; ++row) {
    narrow(a + row * k, b + column, out + row * n + column, k, n, n - column);
  }
}

template void matrix_product(const float*, const float*, float*, std::size_t, std::size_t,
                             std::size_t);
template void matrix_product(const double*, const double*, double*, std::size_t, std::size_t,
                             std::size_t);
template void matrix_product(const std::uint64_t*, const std::uint64_t*, std::uint64_t*,
                             std::size_t, std::size_t, std::size_t);
template void matrix_product(const std::complex<float>*, const std::complex<float>*,
                             std::complex<float>*, std::size_t, std::size_t, std::size_t);
template void matrix_product(const std::complex<double>*, const std::complex<double>*,
                             std::complex<double>*, std::size_t, std::size_t, std::size_t);

}  // namespace trainyard::graph
