// triangular_solve: op(a) x = b or x op(a) = b, a matrix at a time.
#include <array>

#include "graph/evaluate/linear_algebra.h"
#include "graph/ops/all.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

void verify_triangular_solve(OpCheck& c) {
  constexpr std::array<std::string_view, 4> forms{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT",
                                                  "TRANSPOSE_INVALID"};
  c.one_of("transpose_a", forms, false);
  const Type &a = c.operand(0), &b = c.operand(1);
  c.require(is_square(a), "a is a square matrix, or several");
  c.require(same_type(b, c.result()), "the result has the type of b");
  c.require(same_element(a, b) && a.shape.size() == b.shape.size(),
            "a and b have one rank and element type");
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
Value solutions(const Evaluation& e) {
  const std::string& transpose_a = e.op.text("transpose_a");
  const bool adjoint = transpose_a == "ADJOINT";
  const SolveForm form{e.op.flag("left_side", true), e.op.flag("lower", true),
                       e.op.flag("unit_diagonal", false), adjoint || transpose_a == "TRANSPOSE",
                       adjoint};
  const auto n = static_cast<std::size_t>(e.operand(0).shape().back());
  const std::size_t rank = e.result().shape.size();
  const auto rows = static_cast<std::size_t>(e.result().shape.at(rank - 2));
  const auto columns = static_cast<std::size_t>(e.result().shape.at(rank - 1));
  const std::vector<Widened<T>> a = numbers<Widened<T>>(e.operand(0));
  std::vector<Widened<T>> x = numbers<Widened<T>>(e.operand(1));
  e.require(n == (form.left ? rows : columns), "a has the extent of the side it stands on");
  const std::size_t matrices = rows * columns == 0 ? 0 : x.size() / (rows * columns);
  for (std::size_t m = 0; m < matrices; ++m) {
    for (std::size_t i = 0; i < (form.left ? columns : rows); ++i) {
      Widened<T>* const first = &x[m * rows * columns + (form.left ? i : i * columns)];
      solve(&a[m * n * n], n, first, form.left ? columns : 1, form);
    }
  }
  return tensor_of(e.result(), x);
}

Value evaluate_triangular_solve(const Evaluation& e) {
  return with_exact_number(e, [&](auto zero) { return solutions<decltype(zero)>(e); });
}

bool factors_of_triangular_solve(Making& make) {
  const std::size_t rank = make.result().size();
  make.leading(2, 2);
  const std::size_t column = make.op().flag("left_side", true) ? rank - 1 : rank - 2;
  const std::size_t factor = make.add(make.result()[column]);
  make.of_operand(1, column, factor);
  make.of_result(0, column, factor);
  return true;
}

constexpr auto triangular_solve_records = std::to_array<OpRecord>({
    {.kind = OpKind::triangular_solve,
     .name = "triangular_solve",
     .operands = {2, 2},
     .traits = {Trait::keeps_format},
     .vhlo = {"left_side lower transpose_a unit_diagonal"},
     .verify = verify_triangular_solve,
     .evaluate = alone<evaluate_triangular_solve>,
     .factors = factors_of_triangular_solve},
});

}  // namespace

std::span<const OpRecord> triangular_solve_ops() { return triangular_solve_records; }

}  // namespace trainyard::graph
