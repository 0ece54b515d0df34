// Random numbers, transforms, solvers and normalisations of batches.
#include <algorithm>
#include <array>

#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

void rng(OpCheck& c) {
  constexpr std::array<std::string_view, 2> distributions{"UNIFORM", "NORMAL"};
  c.one_of("rng_distribution", distributions, false);
  for (const std::size_t i : {0U, 1U})
    c.require(is_scalar(c.operand(i)) && same_element(c.operand(i), c.result()),
              "a parameter is one element of the result's type");
  c.require(c.operand(2).shape.size() == 1, "the shape is a list");
}

void rng_bit_generator(OpCheck& c) {
  constexpr std::array<std::string_view, 3> algorithms{"DEFAULT", "THREE_FRY", "PHILOX"};
  c.one_of("rng_algorithm", algorithms, false);
  c.require(same_type(c.operand(0), c.result(0)), "the new state has the type of the old one");
}

void fft(OpCheck& c) {
  constexpr std::array<std::string_view, 4> types{"FFT", "IFFT", "RFFT", "IRFFT"};
  c.one_of("fft_type", types, false);
  const Integers lengths = c.list("fft_length");
  const Type &from = c.operand(0), &to = c.result();
  const std::size_t rank = from.shape.size(), n = lengths.size();
  if (!c.require(n >= 1 && n <= 3 && n <= rank && to.shape.size() == rank,
                 "fft_length has one to three lengths, and the rank stays"))
    return;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool is_last = d + 1 == rank;
    if (d + n < rank) {
      c.require(fits(from.shape[d], to.shape[d]), "the dimensions before keep their sizes");
      continue;
    }
    const std::int64_t length = lengths[d + n - rank];
    const std::int64_t half = length == 0 ? 0 : length / 2 + 1;
    const std::string_view type = c.text("fft_type");
    const std::int64_t in = is_last && type == "IRFFT" ? half : length,
                       out = is_last && type == "RFFT" ? half : length;
    c.require(fits(from.shape[d], in) && fits(to.shape[d], out),
              "transformed dimensions have the sizes of fft_length");
  }
}

bool is_square(const Type& type) {
  const std::size_t rank = type.shape.size();
  return rank >= 2 && fits(type.shape[rank - 1], type.shape[rank - 2]);
}

void cholesky(OpCheck& c) {
  c.require(is_square(c.operand(0)), "the operand is a square matrix, or several");
  c.require(same_type(c.operand(0), c.result()), "the result has the type of the operand");
}

void triangular_solve(OpCheck& c) {
  constexpr std::array<std::string_view, 4> forms{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT",
                                                  "TRANSPOSE_INVALID"};
  c.one_of("transpose_a", forms, false);
  const Type &a = c.operand(0), &b = c.operand(1);
  c.require(is_square(a), "a is a square matrix, or several");
  c.require(same_type(b, c.result()), "the result has the type of b");
  c.require(same_element(a, b) && a.shape.size() == b.shape.size(),
            "a and b have one rank and element type");
}

// Each of those operands and results is one number a feature.
void batch_norm(OpCheck& c, std::size_t first_operand, std::size_t last_operand,
                std::size_t first_result, std::size_t last_result) {
  const Type& operand = c.operand(0);
  const std::size_t feature = c.dimension("feature_index", operand.shape.size());
  if (c.has_failed()) return;
  const std::array<std::int64_t, 1> shape{operand.shape[feature]};
  for (std::size_t i = first_operand; i <= last_operand; ++i)
    c.require(shape_is(c.operand(i), shape), "there is a number for each feature");
  for (std::size_t i = first_result; i <= last_result; ++i)
    c.require(shape_is(c.result(i), shape), "there is a number for each feature");
  c.require(same_type(operand, c.result(0)), "the first result has the type of the operand");
}
void batch_norm_training(OpCheck& c) { batch_norm(c, 1, 2, 1, 2); }
void batch_norm_inference(OpCheck& c) { batch_norm(c, 1, 4, 1, 0); }
void batch_norm_grad(OpCheck& c) { batch_norm(c, 1, 3, 1, 2); }

constexpr auto numeric_table = std::to_array<Form>({
    {OpKind::batch_norm_grad, 5, 5, 3, 3, 0, 0, batch_norm_grad},
    {OpKind::batch_norm_inference, 5, 5, 1, 1, 0, 0, batch_norm_inference},
    {OpKind::batch_norm_training, 3, 3, 3, 3, 0, 0, batch_norm_training},
    {OpKind::cholesky, 1, 1, 1, 1, 0, 0, cholesky},
    {OpKind::fft, 1, 1, 1, 1, 0, 0, fft},
    {OpKind::rng, 3, 3, 1, 1, 0, 0, rng},
    {OpKind::rng_bit_generator, 1, 1, 2, 2, 0, 0, rng_bit_generator},
    {OpKind::triangular_solve, 2, 2, 1, 1, 0, 0, triangular_solve},
});

}  // namespace

std::span<const Form> numeric_forms() { return numeric_table; }

}  // namespace trainyard::graph
