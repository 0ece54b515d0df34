// cholesky and triangular_solve, a matrix at a time.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

namespace {

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
using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;

// NaN below the diagonal and on it where the matrix is not positive definite, as XLA gives.
template <typename T>
void factorise(T* matrix, std::size_t n) {
  bool is_positive = true;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      T sum = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * conjugate(matrix[j * n + k]);
      matrix[i * n + j] = i == j ? T(std::sqrt(sum)) : sum / matrix[j * n + j];
      is_positive &= i != j || std::real(sum) > 0;
    }
    for (std::size_t j = i + 1; j < n; ++j) matrix[i * n + j] = T{};
  }
  for (std::size_t i = 0; i < n && !is_positive; ++i)
    std::fill_n(&matrix[i * n], i + 1, T(std::numeric_limits<double>::quiet_NaN()));
}

template <typename T>
void transpose(T* matrix, std::size_t n, bool conjugated) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) std::swap(matrix[i * n + j], matrix[j * n + i]);
    for (std::size_t j = 0; j < n && conjugated; ++j)
      matrix[i * n + j] = conjugate(matrix[i * n + j]);
  }
}

template <typename T>
Value cholesky(const Evaluation& e) {
  const auto n = static_cast<std::size_t>(e.result().shape.back());
  const bool lower = e.op.flag("lower", false);
  std::vector<Wide<T>> all = numbers<Wide<T>>(e.operand(0));
  for (std::size_t at = 0; n > 0 && at < all.size(); at += n * n) {
    if (!lower) transpose(&all[at], n, true);
    factorise(&all[at], n);
    if (!lower) transpose(&all[at], n, true);
  }
  return tensor_of(e.result(), all);
}

struct SolveForm {
  bool left, lower, unit, transposed, adjoint;
};

// Solves op(a) x = b for one column, or x op(a) = b for one row, of stride `step`.
template <typename T>
void solve(const T* a, std::size_t n, T* x, std::size_t step, const SolveForm& form) {
  const bool swapped = form.transposed == form.left;  // x op(a) = b is op(a)^T x^T = b^T
  const auto element = [&](std::size_t i, std::size_t j) {
    const T value = swapped ? a[j * n + i] : a[i * n + j];
    return form.adjoint ? conjugate(value) : value;
  };
  const bool forward = form.lower != swapped;
  for (std::size_t done = 0; done < n; ++done) {
    const std::size_t i = forward ? done : n - 1 - done;
    T sum = x[i * step];
    for (std::size_t k = 0; k < done; ++k) {
      const std::size_t j = forward ? k : n - 1 - k;
      sum -= element(i, j) * x[j * step];
    }
    x[i * step] = form.unit ? sum : sum / element(i, i);
  }
}

template <typename T>
Value triangular_solve(const Evaluation& e) {
  const std::string& transpose_a = e.op.text("transpose_a");
  const bool adjoint = transpose_a == "ADJOINT";
  const SolveForm form{e.op.flag("left_side", true), e.op.flag("lower", true),
                       e.op.flag("unit_diagonal", false), adjoint || transpose_a == "TRANSPOSE",
                       adjoint};
  const auto n = static_cast<std::size_t>(e.operand(0).shape().back());
  const std::size_t rank = e.result().shape.size();
  const auto rows = static_cast<std::size_t>(e.result().shape.at(rank - 2));
  const auto columns = static_cast<std::size_t>(e.result().shape.at(rank - 1));
  const std::vector<Wide<T>> a = numbers<Wide<T>>(e.operand(0));
  std::vector<Wide<T>> x = numbers<Wide<T>>(e.operand(1));
  e.require(n == (form.left ? rows : columns), "a has the extent of the side it stands on");
  const std::size_t matrices = rows * columns == 0 ? 0 : x.size() / (rows * columns);
  for (std::size_t m = 0; m < matrices; ++m) {
    for (std::size_t i = 0; i < (form.left ? columns : rows); ++i) {
      Wide<T>* const first = &x[m * rows * columns + (form.left ? i : i * columns)];
      solve(&a[m * n * n], n, first, form.left ? columns : 1, form);
    }
  }
  return tensor_of(e.result(), x);
}

}  // namespace

Results evaluate_linear_algebra(const Evaluation& e) {
  if (e.op.kind != OpKind::cholesky && e.op.kind != OpKind::triangular_solve) return std::nullopt;
  return with_number_of(e.result().element, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      e.refuse("floating-point or complex numbers", to_string(e.result()));
      return std::vector<Value>{};
    } else {
      return std::vector<Value>{e.op.kind == OpKind::cholesky ? cholesky<T>(e)
                                                              : triangular_solve<T>(e)};
    }
  });
}

}  // namespace trainyard::graph
