// cholesky: a matrix as the product of a triangle and its adjoint.
#include <algorithm>
#include <limits>

#include "graph/evaluate/linear_algebra.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

void verify_cholesky(OpCheck& c) {
  c.require(is_square(c.operand(0)), "the operand is a square matrix, or several");
  c.require(same_type(c.operand(0), c.result()), "the result has the type of the operand");
}

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
void transpose_in_place(T* matrix, std::size_t n, bool conjugated) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) std::swap(matrix[i * n + j], matrix[j * n + i]);
    for (std::size_t j = 0; j < n && conjugated; ++j)
      matrix[i * n + j] = conjugate(matrix[i * n + j]);
  }
}

template <typename T>
Value cholesky_of(const Evaluation& e) {
  const auto n = static_cast<std::size_t>(e.result().shape.back());
  const bool lower = e.op.flag("lower", false);
  std::vector<Widened<T>> all = numbers<Widened<T>>(e.operand(0));
  for (std::size_t at = 0; n > 0 && at < all.size(); at += n * n) {
    if (!lower) transpose_in_place(&all[at], n, true);
    factorise(&all[at], n);
    if (!lower) transpose_in_place(&all[at], n, true);
  }
  return tensor_of(e.result(), all);
}

Value evaluate_cholesky(const Evaluation& e) {
  return with_exact_number(e, [&](auto zero) { return cholesky_of<decltype(zero)>(e); });
}

bool factors_of_cholesky(Making& make) {
  make.leading(2, 1);
  return true;
}

constexpr auto cholesky_records = std::to_array<OpRecord>({
    {.kind = OpKind::cholesky,
     .name = "cholesky",
     .operands = {1, 1},
     .traits = {Trait::keeps_format},
     .vhlo = {"lower"},
     .complete = [](Op& op) { add_default(op, "lower", {false}); },
     .verify = verify_cholesky,
     .evaluate = alone<evaluate_cholesky>,
     .factors = factors_of_cholesky},
});

}  // namespace

std::span<const OpRecord> cholesky_ops() { return cholesky_records; }

}  // namespace trainyard::graph
