#include "compiler/lowering/attention/attention_matcher.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/multiplied_formats.h"
#include "compiler/lowering/tiles/reductions.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;

// A score that is replaced by such a number counts for nothing beside any other.
constexpr double masked_max = -1e9;

}  // namespace

DotDims dims_of(const Function& function, const Op& dot) {
  const auto left_batches = dot.integers("lhs_batching_dimensions"),
             right_batches = dot.integers("rhs_batching_dimensions"),
             left_depth = dot.integers("lhs_contracting_dimensions"),
             right_depth = dot.integers("rhs_contracting_dimensions");
  DotDims result;
  for (std::size_t i = 0; i < left_batches.size(); ++i)
    result.dims.push_back({left_batches[i], right_batches[i]});
  for (std::size_t i = 0; i < left_depth.size(); ++i)
    result.depth.push_back({left_depth[i], right_depth[i]});
  const auto add_free = [&](ValueId operand, auto batches, auto depth, bool is_left) {
    for (std::int64_t dim = 0; dim < function.type(operand).rank(); ++dim) {
      if (std::ranges::find(depth, dim) != depth.end() ||
          std::ranges::find(batches, dim) != batches.end())
        continue;
      result.dims.push_back(is_left ? DotDims::Dim{.left = dim} : DotDims::Dim{.right = dim});
    }
  };
  add_free(dot.operands[0], left_batches, left_depth, true);
  add_free(dot.operands[1], right_batches, right_depth, false);
  return result;
}

const Op* AttentionMatcher::member(ValueId value, OpKind kind) {
  const Op* const op = definitions_.of(value);
  if (op == nullptr || op->kind != kind) return nullptr;
  found_.members.insert(op);
  return op;
}

ValueId AttentionMatcher::without_casts(ValueId value) {
  while (const Op* const op = definitions_.of(value)) {
    if (op->kind != OpKind::convert || !graph::is_float(type(op->operands[0]).element)) break;
    found_.members.insert(op);
    value = op->operands[0];
  }
  return value;
}

bool AttentionMatcher::can_multiply(graph::ElementType a, graph::ElementType b) const {
  const auto left = storage_of(a), right = storage_of(b);
  return left && right && multiplies(*left, *right, core_);
}

bool AttentionMatcher::matches(const Op& root, bool weights_are_left) {
  found_ = {};
  found_.members.insert(&root);
  found_.result = root.results[0];
  const bool divides_weights = root.kind == OpKind::dot_general;
  std::vector<std::int64_t> order;  // of the product's dimensions in the root's result
  for (std::int64_t i = 0; i < type(found_.result).rank(); ++i) order.push_back(i);
  const Op* const dot = divides_weights ? &root : moved_product(root.operands[0], order);
  if (dot == nullptr) return false;
  const ValueId given = dot->operands[weights_are_left ? 0 : 1];
  found_.values = dot->operands[weights_are_left ? 1 : 0];
  found_.shape.weights = type(given).element;
  ValueId power = without_casts(given);
  if (divides_weights) {
    const Op* const quotient = member(power, OpKind::divide);
    if (quotient == nullptr) return false;
    power = without_casts(quotient->operands[0]);
    if (reduced(quotient->operands[1], numerics::AluOp::add) != power) return false;
  }
  return reads_exponentials(power) && reads_values(*dot, weights_are_left) &&
         (divides_weights || divides_result(root, power, order)) &&
         can_multiply(found_.shape.weights, type(found_.values).element);
}

const Op* AttentionMatcher::moved_product(ValueId value, std::vector<std::int64_t>& order) {
  value = without_casts(value);
  while (const Op* const moved = member(value, OpKind::transpose)) {
    const auto permutation = moved->integers("permutation");
    for (std::int64_t& dim : order) dim = permutation[static_cast<std::size_t>(dim)];
    value = without_casts(moved->operands[0]);
  }
  return member(value, OpKind::dot_general);
}

bool AttentionMatcher::divides_result(const Op& quotient, ValueId power,
                                      std::span<const std::int64_t> order) {
  std::vector<std::int64_t>& dims = found_.shape.result_dims;
  if (dims.size() != order.size()) return false;
  Places places(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto at = std::ranges::find(order, dims[i]);
    if (at == order.end()) return false;
    dims[i] = at - order.begin();
    places[static_cast<std::size_t>(dims[i])] = i;
  }
  return reduced(quotient.operands[1], numerics::AluOp::add, false, std::move(places)) == power;
}

bool AttentionMatcher::reads_exponentials(ValueId power) {
  const Op* const made = member(power, OpKind::exponential);
  if (made == nullptr) return false;
  found_.power = power;
  const Op* const shifted = member(without_casts(made->operands[0]), OpKind::subtract);
  if (shifted == nullptr) return false;
  const ValueId scores = without_casts(shifted->operands[0]);
  if (!repeats_maxima(shifted->operands[1], scores)) return false;
  shape_ = type(scores).shape;
  return shape_.size() >= 2 && reads_scores(scores);
}

bool AttentionMatcher::repeats_maxima(ValueId value, ValueId scores) {
  if (reduced(value, numerics::AluOp::maximum) == scores) return true;
  const Op* const moved = member(scores, OpKind::transpose);
  if (moved == nullptr) return false;
  const auto order = moved->integers("permutation");
  return reduced(value, numerics::AluOp::maximum, false, {order.begin(), order.end()}) ==
         moved->operands[0];
}

std::optional<ValueId> AttentionMatcher::reduced(ValueId value, numerics::AluOp how, bool negated) {
  Places places;
  for (std::size_t i = 0; i < type(value).shape.size(); ++i) places.push_back(i);
  return reduced(value, how, negated, std::move(places));
}
std::optional<ValueId> AttentionMatcher::reduced(ValueId value, numerics::AluOp how, bool negated,
                                                 Places places) {
  const std::size_t rank = places.size();
  while (const Op* const op = definitions_.of(value)) {
    const std::vector<std::int64_t>& shape = type(op->results[0]).shape;
    if (op->kind == OpKind::reduce)
      return negated ? std::nullopt : reduction(*op, places, rank, how);
    found_.members.insert(op);
    switch (op->kind) {
      case OpKind::convert: break;
      case OpKind::negate: negated = !negated; break;
      case OpKind::maximum: {  // with minus infinity, as a maximum's initial value
        const auto low = number(op->operands[0]);
        if (!low || !std::isinf(*low) || *low > 0) return std::nullopt;
        value = op->operands[1];
        continue;
      }
      case OpKind::broadcast_in_dim: {
        Places inner;
        for (const std::int64_t dim : op->integers("broadcast_dimensions"))
          inner.push_back(places[static_cast<std::size_t>(dim)]);
        places = std::move(inner);
        break;
      }
      case OpKind::transpose: {
        const auto order = op->integers("permutation");
        Places inner(places.size());
        for (std::size_t i = 0; i < places.size(); ++i)
          inner[static_cast<std::size_t>(order[i])] = places[i];
        places = std::move(inner);
        break;
      }
      case OpKind::reshape: {  // that adds or leaves out single-element dimensions
        const std::vector<std::int64_t>& from = type(op->operands[0]).shape;
        Places inner;
        std::size_t k = 0;
        for (const std::int64_t size : from) {
          while (k < shape.size() && shape[k] == 1 && size != 1) ++k;
          const bool is_new = size == 1 && (k == shape.size() || shape[k] != 1);
          if (!is_new && (k == shape.size() || shape[k] != size)) return std::nullopt;
          inner.push_back(is_new ? rank : places[k++]);
        }
        places = std::move(inner);
        break;
      }
      default: return std::nullopt;
    }
    value = op->operands[0];
  }
  return std::nullopt;
}
std::optional<ValueId> AttentionMatcher::reduction(const Op& op, const Places& places,
                                                   std::size_t rank, numerics::AluOp how) {
  if (op.results.size() != 1) return std::nullopt;
  const Type& from = type(op.operands[0]);
  const auto dims = op.integers("dimensions");
  const auto own = reduction_of(op.regions.at(0), type(op.results[0]).element);
  const auto initial = number(op.operands[1]);
  if (from.shape.size() != rank || dims.size() != 1 || own != how ||
      dims[0] + 1 != static_cast<std::int64_t>(rank) || !initial)
    return std::nullopt;
  const bool begins =
      how == numerics::AluOp::add ? *initial == 0 : std::isinf(*initial) && *initial < 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] != i && from.shape[i] != 1) return std::nullopt;
  if (!begins) return std::nullopt;
  found_.members.insert(&op);
  return without_casts(op.operands[0]);
}

// From what the softmax is of to the product.
bool AttentionMatcher::reads_scores(ValueId value) {
  AttentionShape& shape = found_.shape;
  std::vector<std::int64_t> places;  // of the dimensions in the value at hand
  for (std::size_t i = 0; i < shape_.size(); ++i) places.push_back(static_cast<std::int64_t>(i));
  while (const Op* const op = definitions_.of(value)) {
    found_.members.insert(op);
    const auto numbered = [&](std::size_t side) { return number(op->operands[side]); };
    switch (op->kind) {
      case OpKind::convert:
        if (!graph::is_float(type(op->operands[0]).element)) return false;
        value = op->operands[0];
        break;
      case OpKind::multiply: {
        const std::size_t side = numbered(1) ? 1 : 0;
        const auto factor = numbered(side);
        if (!factor || *factor <= 0) return false;
        shape.scale *= *factor;
        value = op->operands[1 - side];
        break;
      }
      case OpKind::divide: {
        const auto divisor = numbered(1);
        if (!divisor || *divisor <= 0) return false;
        shape.scale /= *divisor;
        value = op->operands[0];
        break;
      }
      case OpKind::select: {
        const auto number = numbered(2);
        if (shape.mask || shape.inner || !number || *number * shape.scale > masked_max)
          return false;
        if (is_whole(op->operands[0], places)) shape.mask = mask(op->operands[0]);
        shape.masked = *number * shape.scale;
        if (!shape.mask && !takes_limit(op->operands[0], places, AttentionShape::Limit::mask))
          return false;
        value = op->operands[1];
        break;
      }
      case OpKind::add: {
        const std::size_t side = leads_to_product(op->operands[0]) ? 0 : 1;
        const ValueId bias = op->operands[1 - side];
        if (shape.inner) return false;
        if (!takes_mask(bias, places) &&
            (shape.scale != 1 || !takes_limit(bias, places, AttentionShape::Limit::bias)))
          return false;
        value = op->operands[side];
        break;
      }
      case OpKind::tanh:
        if (shape.inner) return false;
        shape.inner = std::exchange(shape.scale, 1);
        value = op->operands[0];
        break;
      case OpKind::transpose: {
        const auto order = op->integers("permutation");
        for (std::int64_t& place : places) place = order[static_cast<std::size_t>(place)];
        value = op->operands[0];
        break;
      }
      case OpKind::dot_general:
        if (shape.inner) std::swap(*shape.inner, shape.scale);
        return reads_product(*op, places);
      default: return false;
    }
  }
  return false;
}

bool AttentionMatcher::is_whole(ValueId limit, std::span<const std::int64_t> places) const {
  return are_enough() && std::ranges::is_sorted(places) &&
         type(limit).shape.size() == shape_.size();
}

bool AttentionMatcher::takes_mask(ValueId value, std::span<const std::int64_t> places) {
  AttentionShape& shape = found_.shape;
  if (shape.mask || shape.limit != AttentionShape::Limit::none || !is_whole(value, places))
    return false;
  const auto bias = diagonal_bias(function_, definitions_, value);
  if (!bias || bias->elsewhere * shape.scale > masked_max) return false;
  shape.mask = bias->kept;
  shape.masked = bias->elsewhere * shape.scale;
  return true;
}

bool AttentionMatcher::are_enough() const { return shape_[shape_.size() - 2] >= queries_min; }

bool AttentionMatcher::leads_to_product(ValueId value) const {
  for (const Op* op = definitions_.of(value); op != nullptr; op = definitions_.of(value)) {
    switch (op->kind) {
      case OpKind::dot_general: return true;
      case OpKind::multiply: value = op->operands[number(op->operands[1]) ? 0 : 1]; break;
      case OpKind::convert:
      case OpKind::divide:
      case OpKind::tanh:
      case OpKind::transpose: value = op->operands[0]; break;
      default: return false;
    }
  }
  return false;
}

bool AttentionMatcher::takes_limit(ValueId value, std::vector<std::int64_t> places,
                                   AttentionShape::Limit limit) {
  AttentionShape& shape = found_.shape;
  if (shape.limit != AttentionShape::Limit::none || shape.mask) return false;
  const auto put = [&](std::span<const std::int64_t> to) {
    for (std::int64_t& place : places)
      if (place != AttentionShape::repeats) place = to[static_cast<std::size_t>(place)];
  };
  // What is repeated is loaded as it was before.
  for (const Op* op = definitions_.of(value); op != nullptr; op = definitions_.of(value)) {
    if (op->kind == OpKind::and_ &&
        (number(op->operands[0]) == 1 || number(op->operands[1]) == 1)) {
      value = op->operands[number(op->operands[0]) == 1 ? 1 : 0];
      continue;
    }
    if (op->kind == OpKind::compare) {
      const auto tested = tested_value(function_, definitions_, *op);
      if (!tested) break;
      value = *tested;
      continue;
    }
    if (op->kind == OpKind::broadcast_in_dim) {
      const std::vector<std::int64_t>& from = type(op->operands[0]).shape;
      std::vector<std::int64_t> to(type(value).shape.size(), AttentionShape::repeats);
      const auto dims = op->integers("broadcast_dimensions");
      for (std::size_t i = 0; i < dims.size(); ++i)
        if (from[i] != 1) to[static_cast<std::size_t>(dims[i])] = static_cast<std::int64_t>(i);
      put(to);
    } else if (op->kind == OpKind::transpose) {
      put(op->integers("permutation"));
    } else if (op->kind != OpKind::convert || limit == AttentionShape::Limit::mask ||
               !graph::is_float(type(op->operands[0]).element)) {
      break;
    }
    value = op->operands[0];
  }
  const graph::ElementType element = type(value).element;
  const bool is_bias = graph::is_float(element) && graph::bits(element) <= 32;
  if (limit == AttentionShape::Limit::bias ? !is_bias : element != graph::ElementType::pred)
    return false;
  shape.limit = limit;
  shape.limit_dims = std::move(places);
  found_.limit = value;
  return true;
}

bool AttentionMatcher::reads_values(const Op& dot, bool weights_are_left) {
  const DotDims dims = dims_of(function_, dot);
  const auto rank = static_cast<std::int64_t>(shape_.size());
  AttentionShape& shape = found_.shape;
  if (dims.depth.size() != 1) return false;
  const auto weight = [&](const DotDims::Dim& dim) {
    return weights_are_left ? dim.left : dim.right;
  };
  const auto value = [&](const DotDims::Dim& dim) {
    return weights_are_left ? dim.right : dim.left;
  };
  shape.value_dims.assign(shape_.size(), AttentionShape::repeats);
  shape.result_dims.assign(shape_.size(), AttentionShape::repeats);
  if (weight(dims.depth[0]) != rank - 1) return false;
  int columns = 0;
  for (std::size_t i = 0; i < dims.dims.size(); ++i) {
    const DotDims::Dim& dim = dims.dims[i];
    const auto place = static_cast<std::int64_t>(i);
    if (weight(dim) == AttentionShape::repeats) {
      if (++columns > 1) return false;
      shape.value_dims.push_back(value(dim));
      shape.result_dims.push_back(place);
      shape.columns = type(dot.results[0]).shape[i];
    } else {
      shape.result_dims[static_cast<std::size_t>(weight(dim))] = place;
      if (value(dim) != AttentionShape::repeats)
        shape.value_dims[static_cast<std::size_t>(weight(dim))] = value(dim);
    }
  }
  const std::size_t query = shape_.size() - 2;
  if (columns != 1 || shape.value_dims[query] != AttentionShape::repeats) return false;
  // outer..., query, key, column: without the key, and without the query
  shape.result_dims.erase(shape.result_dims.begin() + static_cast<std::ptrdiff_t>(query) + 1);
  shape.value_dims.erase(shape.value_dims.begin() + static_cast<std::ptrdiff_t>(query));
  shape.value_dims[query] = value(dims.depth[0]);
  return true;
}

std::optional<AttentionMatcher::Sides> AttentionMatcher::sides(
    const Op& dot, const std::vector<std::int64_t>& places) const {
  const DotDims dims = dims_of(function_, dot);
  if (dims.depth.size() != 1) return std::nullopt;
  const DotDims::Dim column = dims.dims[static_cast<std::size_t>(places.back())];
  const bool columns_are_right = column.left == AttentionShape::repeats;
  if (!columns_are_right && column.right != AttentionShape::repeats)
    return std::nullopt;  // a batch
  const auto row_of = [&](const DotDims::Dim& dim) {
    return columns_are_right ? dim.left : dim.right;
  };
  const auto column_of = [&](const DotDims::Dim& dim) {
    return columns_are_right ? dim.right : dim.left;
  };
  Sides made{.rows = dot.operands[columns_are_right ? 0 : 1],
             .columns = dot.operands[columns_are_right ? 1 : 0]};
  const std::size_t last = places.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    const DotDims::Dim& dim = dims.dims[static_cast<std::size_t>(places[i])];
    if (row_of(dim) == AttentionShape::repeats) return std::nullopt;
    made.row_dims.push_back(row_of(dim));
    if (i + 1 < last) {
      made.column_dims.push_back(column_of(dim));
    } else if (column_of(dim) != AttentionShape::repeats) {
      return std::nullopt;
    }
  }
  made.row_dims.push_back(row_of(dims.depth[0]));
  made.column_dims.push_back(column_of(column));
  made.column_dims.push_back(column_of(dims.depth[0]));
  return made;
}

bool AttentionMatcher::reads_product(const Op& dot, const std::vector<std::int64_t>& places) {
  const std::optional<Sides> of = sides(dot, places);
  if (!of) return false;
  AttentionShape& shape = found_.shape;
  shape.query_dims = of->row_dims;
  shape.key_dims = of->column_dims;
  shape.outer.assign(shape_.begin(), shape_.end() - 2);
  found_.queries = of->rows;
  found_.keys = of->columns;
  shape.queries = shape_[shape_.size() - 2];
  shape.keys = shape_.back();
  shape.depth = type(found_.queries).shape[static_cast<std::size_t>(shape.query_dims.back())];
  if (shape.mask && !shape.mask->keeps_in_all(shape.queries, shape.keys)) return false;
  return (queries_ == Queries::any || are_enough()) && shape.keys >= queries_min &&
         can_multiply(type(found_.queries).element, type(found_.keys).element);
}

}  // namespace trainyard::compiler
