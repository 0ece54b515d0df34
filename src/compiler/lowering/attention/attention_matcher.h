// Walks through a tensor program from a product with values up to the one that makes scores: what
// the forms of attention have in common.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "compiler/lowering/attention/attention_pattern.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

// Which dimensions of the operands a dot_general's result has, in order: batches as pairs, then the
// free ones of the left, then of the right operand.
struct DotDims {
  struct Dim {
    std::int64_t left = AttentionShape::repeats, right = AttentionShape::repeats;
  };
  std::vector<Dim> dims{};
  std::vector<Dim> depth{};  // that are summed over
};
[[nodiscard]] DotDims dims_of(const graph::Function& function, const graph::Op& dot);

class AttentionMatcher {
 public:
  struct Found {
    AttentionShape shape{};
    graph::ValueId queries = 0, keys = 0, values = 0, result = 0;
    std::optional<graph::ValueId> limit{};
    graph::ValueId power = 0;  // the exponentials
    std::set<const graph::Op*> members{};
  };

  enum class Queries : std::uint8_t { many, any };

  AttentionMatcher(const graph::Function& function, const Definitions& definitions,
                   const machine::Core& core, Queries queries = Queries::many)
      : function_(function), definitions_(definitions), core_(core), queries_(queries) {}

  [[nodiscard]] Found& found() { return found_; }
  // softmax(scores) values, at the product with the values, whose first or second operand the
  // weights are; or at the division by the sums of their exponentials, behind the product.
  bool matches(const graph::Op& root, bool weights_are_left);
  // What a softmax's exponentials are of, as far as its scores' product.
  bool reads_exponentials(graph::ValueId power);

  [[nodiscard]] const graph::Type& type(graph::ValueId value) const {
    return function_.type(value);
  }
  // The operation that defines a value, as part of what is found.
  const graph::Op* member(graph::ValueId value, graph::OpKind kind);
  graph::ValueId without_casts(graph::ValueId value);
  [[nodiscard]] const Definitions& definitions() const { return definitions_; }
  [[nodiscard]] std::optional<double> number(graph::ValueId value) const {
    return definitions_.number(value);
  }
  [[nodiscard]] std::optional<DiagonalMask> mask(graph::ValueId value) const {
    return diagonal_mask(function_, definitions_, value);
  }
  // The value whose rows' reductions along the last dimension the given one repeats, `negated` an
  // odd number of times or not.
  std::optional<graph::ValueId> reduced(graph::ValueId value, numerics::AluOp how,
                                        bool negated = false);
  // Whether the given value repeats the largest elements of the rows of `scores`, also if both are
  // transposed behind the reduction.
  bool repeats_maxima(graph::ValueId value, graph::ValueId scores);

  // The operands of a product whose dimensions are those of scores.
  struct Sides {
    graph::ValueId rows = 0, columns = 0;
    std::vector<std::int64_t> row_dims{}, column_dims{};  // outer..., row or column, depth
  };
  // `places`: of the scores' dimensions in the product's result.
  [[nodiscard]] std::optional<Sides> sides(const graph::Op& dot,
                                           const std::vector<std::int64_t>& places) const;
  [[nodiscard]] const std::vector<std::int64_t>& scores_shape() const { return shape_; }
  [[nodiscard]] bool can_multiply(graph::ElementType a, graph::ElementType b) const;

 private:
  bool reads_values(const graph::Op& dot, bool weights_are_left);
  // The product that a value is, cast and transposed on the way, which turns `order`, too.
  const graph::Op* moved_product(graph::ValueId value, std::vector<std::int64_t>& order);
  // Whether a quotient's divisor repeats the sums of the exponentials over the result's columns.
  // `order`: of the product's dimensions in the quotient.
  bool divides_result(const graph::Op& quotient, graph::ValueId power,
                      std::span<const std::int64_t> order);
  bool reads_scores(graph::ValueId value);
  // Whether a mask or bias is of all dimensions of the scores, in their order.
  [[nodiscard]] bool is_whole(graph::ValueId limit, std::span<const std::int64_t> places) const;
  // Takes a bias that only masks along the diagonal.
  bool takes_mask(graph::ValueId value, std::span<const std::int64_t> places);
  // Takes a mask or a bias with those places as the limit.
  bool takes_limit(graph::ValueId value, std::vector<std::int64_t> places,
                   AttentionShape::Limit limit);
  // Whether a product's scaled result is on the way to the value.
  [[nodiscard]] bool leads_to_product(graph::ValueId value) const;
  [[nodiscard]] bool are_enough() const;
  bool reads_product(const graph::Op& dot, const std::vector<std::int64_t>& places);
  // `places`: where the dimensions of the value at hand are in the one that was asked about.
  using Places = std::vector<std::size_t>;
  std::optional<graph::ValueId> reduced(graph::ValueId value, numerics::AluOp how, bool negated,
                                        Places places);
  std::optional<graph::ValueId> reduction(const graph::Op& op, const Places& places,
                                          std::size_t rank, numerics::AluOp how);

  const graph::Function& function_;
  const Definitions& definitions_;
  const machine::Core& core_;
  Queries queries_;
  std::vector<std::int64_t> shape_{};  // of the scores
  Found found_{};
};

}  // namespace trainyard::compiler
