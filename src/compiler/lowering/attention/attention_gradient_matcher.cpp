#include "compiler/lowering/attention/attention_gradient_matcher.h"

#include <algorithm>
#include <cmath>

#include "compiler/lowering/attention/attention_gradient.h"
#include "compiler/lowering/attention/attention_matcher.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::OpKind;
using graph::ValueId;
using numerics::AluOp;

using Dims = std::vector<std::int64_t>;  // of the scores' dimensions in a value

class Matcher {
 public:
  Matcher(const graph::Function& function, const Definitions& definitions, const Readers& readers,
          const machine::Core& core)
      : function_(function), readers_(readers), core_(core), scores_(function, definitions, core) {}

  [[nodiscard]] std::optional<AttentionGradient> at(const Op& op) {
    for (const std::size_t side : {0U, 1U}) {
      const ValueId power = op.operands[side];
      const Op* const made = scores_.definitions().of(power);
      if (made == nullptr || made->kind != OpKind::exponential) continue;
      scores_.found() = {};
      found_ = {};
      if (!scores_.reads_exponentials(power) || !scores_.found().shape.is_plain()) continue;
      rank_ = static_cast<std::int64_t>(scores_.scores_shape().size());
      found_.power = power;
      scores_.found().members.insert(&op);
      if (!reads_difference(op.operands[1 - side])) continue;
      take_scores();
      if (!follow_scores(op.results[0], identity(), 1) || !follow_weights() ||
          found_.roots.size() != 3)
        continue;
      found_.members = scores_.found().members;
      if (attention_gradient_fits(found_.shape, function_.type(found_.queries).element, core_))
        return found_;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Dims identity() const {
    Dims all;
    for (std::int64_t i = 0; i < rank_; ++i) all.push_back(i);
    return all;
  }

  // given values / sum - (row sums of given values * exponentials / sum^2)
  bool reads_difference(ValueId value) {
    const Op* const sum = scores_.member(value, OpKind::add);
    if (sum == nullptr) return false;
    for (const std::size_t side : {0U, 1U}) {
      const Op* const quotient = scores_.member(sum->operands[side], OpKind::divide);
      if (quotient == nullptr || scores_.reduced(quotient->operands[1], AluOp::add) != found_.power)
        continue;
      const ValueId change = scores_.without_casts(quotient->operands[0]);
      const auto weighted = scores_.reduced(sum->operands[1 - side], AluOp::add, true);
      if (weighted && is_weighted(*weighted, change) && reads_change(change)) return true;
    }
    return false;
  }

  // change * (1 / sum^2) * exponentials
  bool is_weighted(ValueId value, ValueId change) {
    const Op* const outer = scores_.member(value, OpKind::multiply);
    if (outer == nullptr) return false;
    for (const std::size_t side : {0U, 1U}) {
      if (scores_.without_casts(outer->operands[side]) != found_.power) continue;
      const Op* const inner = scores_.member(outer->operands[1 - side], OpKind::multiply);
      if (inner == nullptr) continue;
      for (const std::size_t other : {0U, 1U}) {
        if (scores_.without_casts(inner->operands[other]) == change &&
            is_inverse_square(inner->operands[1 - other]))
          return true;
      }
    }
    return false;
  }
  bool is_inverse_square(ValueId value) {
    const Op* spread = scores_.definitions().of(value);
    while (spread != nullptr && spread->kind == OpKind::broadcast_in_dim) {
      const auto places = spread->integers("broadcast_dimensions");
      for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] != static_cast<std::int64_t>(i)) return false;
      scores_.found().members.insert(spread);
      spread = scores_.definitions().of(spread->operands[0]);
    }
    if (spread == nullptr || spread->kind != OpKind::divide ||
        scores_.number(spread->operands[0]) != 1)
      return false;
    scores_.found().members.insert(spread);
    const Op* const square = scores_.member(spread->operands[1], OpKind::multiply);
    return square != nullptr && square->operands[0] == square->operands[1] &&
           scores_.reduced(square->operands[0], AluOp::add) == found_.power;
  }

  // The gradient of the weights: the product of what is given with the values.
  bool reads_change(ValueId value) {
    Dims places = identity();
    while (const Op* const turned = scores_.member(value, OpKind::transpose)) {
      const auto order = turned->integers("permutation");
      for (std::int64_t& place : places) place = order[static_cast<std::size_t>(place)];
      value = turned->operands[0];
    }
    const Op* const dot = scores_.member(value, OpKind::dot_general);
    if (dot == nullptr) return false;
    const auto sides = scores_.sides(*dot, places);
    if (!sides) return false;
    found_.given = sides->rows;
    found_.given_dims = sides->row_dims;
    found_.values = sides->columns;
    found_.shape.value_dims = sides->column_dims;
    found_.products.insert(dot);
    return true;
  }

  void take_scores() {
    const AttentionMatcher::Found& scores = scores_.found();
    const std::vector<std::int64_t> value_dims = found_.shape.value_dims;
    found_.shape = scores.shape;
    found_.shape.value_dims = value_dims;
    found_.shape.columns =
        function_.type(found_.values).shape[static_cast<std::size_t>(value_dims.back())];
    found_.queries = scores.queries;
    found_.keys = scores.keys;
  }

  [[nodiscard]] bool is_cast_of(ValueId value, ValueId wanted) {
    while (value != wanted) {
      const Op* const op = scores_.member(value, OpKind::convert);
      if (op == nullptr) return false;
      value = op->operands[0];
    }
    return true;
  }
  [[nodiscard]] std::vector<const Op*> readers(ValueId value) const {
    const auto found = readers_.find(value);
    return found == readers_.end() ? std::vector<const Op*>{} : found->second;
  }
  static Dims moved(const Dims& places, const Op& transpose) {
    const auto order = transpose.integers("permutation");
    Dims made;
    for (const std::int64_t place : places)
      made.push_back(std::ranges::find(order, place) - order.begin());
    return made;
  }

  // From the gradient of the scores to those of the queries and keys: scaled once. What the mask
  // leaves out has weights of 0, and so has its gradient, whether it is masked again or not.
  bool follow_scores(ValueId value, const Dims& places, double scale) {
    for (const Op* const op : readers(value)) {
      scores_.found().members.insert(op);
      switch (op->kind) {
        case OpKind::convert:
          if (!graph::is_float(function_.type(op->results[0]).element) ||
              !follow_scores(op->results[0], places, scale))
            return false;
          break;
        case OpKind::transpose:
          if (!follow_scores(op->results[0], moved(places, *op), scale)) return false;
          break;
        case OpKind::multiply: {
          const auto number = scores_.number(op->operands[op->operands[0] == value ? 1 : 0]);
          if (!number || !follow_scores(op->results[0], places, scale * *number)) return false;
          break;
        }
        case OpKind::divide: {
          const auto number = scores_.number(op->operands[1]);
          if (op->operands[0] != value || !number ||
              !follow_scores(op->results[0], places, scale / *number))
            return false;
          break;
        }
        case OpKind::select: {
          const auto mask = scores_.mask(op->operands[0]);
          if (op->operands[1] != value || scores_.number(op->operands[2]) != 0 || !mask ||
              mask != found_.shape.mask || places != identity() ||
              !follow_scores(op->results[0], places, scale))
            return false;
          break;
        }
        case OpKind::dot_general: {
          const bool is_scaled = std::abs(scale / found_.shape.scale - 1) < 1e-6;
          if (!is_scaled || !takes_product(*op, value, places)) return false;
          break;
        }
        default: return false;
      }
    }
    return true;
  }

  bool takes_product(const Op& dot, ValueId value, const Dims& places) {
    const bool is_left = dot.operands[0] == value;
    const ValueId other = dot.operands[is_left ? 1 : 0];
    const DotDims dims = dims_of(function_, dot);
    const bool sums_keys = std::ranges::any_of(dims.depth, [&](const DotDims::Dim& dim) {
      return (is_left ? dim.left : dim.right) == places.back();
    });
    auto& result_dims = sums_keys ? found_.of_query_dims : found_.of_key_dims;
    ValueId& result = sums_keys ? found_.of_queries : found_.of_keys;
    if (!result_dims.empty()) return false;
    const bool is_it = is_cast_of(other, sums_keys ? found_.keys : found_.queries);
    if (!is_it ||
        !maps(dot, dims, is_left, places,
              sums_keys ? found_.shape.key_dims : found_.shape.query_dims, sums_keys, result_dims))
      return false;
    result = dot.results[0];
    found_.roots.insert(&dot);
    return true;
  }

  // Whether a product of what has the scores' dimensions with an operand sums over the keys, or
  // over the queries and the outer dimensions that the keys have not; where its result's
  // dimensions are.
  bool maps(const Op& dot, const DotDims& dims, bool is_left, const Dims& places,
            const std::vector<std::int64_t>& operand_dims, bool sums_keys,
            std::vector<std::int64_t>& result_dims) const {
    const auto last = static_cast<std::size_t>(rank_) - 1;
    const auto scores_dim = [&](const DotDims::Dim& dim) { return is_left ? dim.left : dim.right; };
    const auto operand_dim = [&](const DotDims::Dim& dim) {
      return is_left ? dim.right : dim.left;
    };
    // Of each dimension of the scores: that of the operand, as a key or a query.
    const auto wanted = [&](std::size_t dim) {
      if (dim + 2 <= last) return operand_dims[dim];
      return dim == (sums_keys ? last : last - 1) ? operand_dims[last - 1]
                                                  : AttentionShape::repeats;
    };
    const auto is_summed = [&](std::size_t dim) {
      if (sums_keys) return dim == last;
      return dim == last - 1 ||
             (dim + 2 <= last && found_.shape.key_dims[dim] == AttentionShape::repeats);
    };
    const auto scores_place = [&](std::int64_t dim) {
      return static_cast<std::size_t>(std::ranges::find(places, dim) - places.begin());
    };
    std::size_t summed = 0;
    for (std::size_t i = 0; i <= last; ++i) summed += is_summed(i) ? 1U : 0U;
    if (dims.depth.size() != summed) return false;
    for (const DotDims::Dim& dim : dims.depth) {
      const std::size_t place = scores_place(scores_dim(dim));
      if (!is_summed(place) || operand_dim(dim) != wanted(place)) return false;
    }
    result_dims.assign(last, AttentionShape::repeats);  // outer..., row
    for (std::size_t i = 0; i < dims.dims.size(); ++i) {
      const DotDims::Dim& dim = dims.dims[i];
      if (scores_dim(dim) == AttentionShape::repeats) {
        if (std::ssize(result_dims) != std::ssize(places) - 1) return false;
        result_dims.push_back(static_cast<std::int64_t>(i));
        continue;
      }
      const std::size_t place = scores_place(scores_dim(dim));
      if (operand_dim(dim) != AttentionShape::repeats && operand_dim(dim) != wanted(place))
        return false;
      result_dims[std::min(place, last - 1)] = static_cast<std::int64_t>(i);
    }
    return result_dims.size() == places.size() && dot.results.size() == 1;
  }

  // From the weights to the gradient of the values.
  bool follow_weights() {
    for (const Op* const op : readers(found_.power)) {
      if (op->kind != OpKind::divide || op->operands[0] != found_.power) continue;
      if (scores_.reduced(op->operands[1], AluOp::add) != found_.power) continue;
      find_values(op->results[0], identity());
    }
    return !found_.of_value_dims.empty();
  }
  void find_values(ValueId value, const Dims& places) {
    for (const Op* const op : readers(value)) {
      if (op->kind == OpKind::convert) find_values(op->results[0], places);
      if (op->kind == OpKind::transpose) find_values(op->results[0], moved(places, *op));
      if (op->kind != OpKind::dot_general || !found_.of_value_dims.empty()) continue;
      const bool is_left = op->operands[0] == value;
      if (!is_cast_of(op->operands[is_left ? 1 : 0], found_.given)) continue;
      std::vector<std::int64_t> dims;
      if (!maps(*op, dims_of(function_, *op), is_left, places, found_.given_dims, false, dims))
        continue;
      found_.of_value_dims = std::move(dims);
      found_.of_values = op->results[0];
      found_.shape.weights = function_.type(value).element;
      found_.roots.insert(op);
      found_.products.insert(op);
      scores_.found().members.insert(op);
    }
  }

  const graph::Function& function_;
  const Readers& readers_;
  const machine::Core& core_;
  AttentionMatcher scores_;
  AttentionGradient found_;
  std::int64_t rank_ = 0;
};

}  // namespace

std::optional<AttentionGradient> attention_gradient(const graph::Function& function,
                                                    const Definitions& definitions,
                                                    const Readers& readers,
                                                    const machine::Core& core, const Op& op) {
  return Matcher(function, definitions, readers, core).at(op);
}

}  // namespace trainyard::compiler
