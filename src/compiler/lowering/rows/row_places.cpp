#include "compiler/lowering/rows/row_places.h"

#include <algorithm>
#include <numeric>

#include "compiler/lowering/clusters/row_membership.h"
#include "compiler/lowering/walk/nodes.h"

namespace trainyard::compiler {

namespace {

bool repeats(std::span<const Extent> dims) {
  return std::ranges::all_of(dims, [](const Extent& dim) { return dim.step == 0; });
}

// The first of a shape's dimensions have elements, the others repeat them.
Strided repeated_along(const Strided& value, std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> places(value.dims.size());
  std::iota(places.begin(), places.end(), 0);
  return broadcast(value, places, shape);
}

}  // namespace

void RowPlaces::follow(const RowPlan& plan) {
  const machine::Core& core = segment_.emitter().core();
  space_.piece = plan.piece;
  is_shared_ = plan.shares > 1;
  if (plan.stacked > 1) space_ = *in_stacks(space_, plan.stacked, core);
  if (is_shared_) space_ = *in_shares(space_, plan.shares);
  row_shape_ = shape_of(space_, space_.stack_dims);
}

Matrix RowPlaces::matrix(NodeId node, const graph::Type& type, bool is_full) {
  if (this->is_full(type)) {
    std::optional<Strided> view = reshaped(segment_.placed(node), space_.shape);
    if (!view) view = reshaped(segment_.stored_dense(node), space_.shape);
    if (!is_full) view->dims.resize(row_shape_.size());
    return matrix_of(*view, space_.row_dims);
  }
  if (type.shape.empty())
    return matrix_of(broadcast(segment_.placed(node), {}, row_shape_), space_.row_dims);
  const std::vector<std::int64_t> shape =
      is_shared_ ? shape_of(own_, dims_of(type) - own_.row_dims)
                 : (type.elements() == own_.rows() ? row_shape_ : shape_of(own_, own_.share_dims));
  std::optional<Strided> view = reshaped(segment_.placed(node), shape);
  if (!view) view = reshaped(segment_.stored_dense(node), shape);
  if (is_shared_) return matrix_of(repeated_along(*view, row_shape_), space_.row_dims);
  return matrix_of(*view, space_.row_dims);
}

RowInput RowPlaces::input(graph::ValueId value, std::optional<NodeId> product) {
  NodeId node = lowerer_.node(value);
  if (segment_.node(node).kind == Node::Kind::number) return {.number = segment_.node(node).number};
  // Engines widen what they read.
  if (segment_.is_widened_view(node)) node = segment_.node(node).inputs[0];
  const graph::Type type = segment_.node(node).type;
  const isa::DType dtype = *storage_of(type.element);
  if (product == node) return {.node = node, .dtype = dtype, .is_full = true, .is_product = true};
  const Matrix seen = matrix(node, type);
  return {.node = node,
          .dtype = dtype,
          .is_full = this->is_full(type) && !repeats(seen.columns),
          .is_alike = repeats(seen.rows)};
}

Sink RowPlaces::sink(graph::ValueId value, bool may_stay) {
  const graph::Type& type = lowerer_.type(value);
  const std::vector<std::int64_t>& shape = is_full(type) ? space_.shape : row_shape_;
  return {segment_, *storage_of(type.element),
          shape,    in_order(shape.size(), space_.row_dims),
          may_stay, value};
}

void RowPlaces::define(graph::ValueId value, Strided place) {
  const graph::Type& type = lowerer_.type(value);
  // All shares of a row have the same number.
  const bool is_number = is_shared_ && !is_full(type) && place.shape() == row_shape_;
  if (is_number) place.dims.resize(dims_of(type));
  const std::optional<Strided> view = reshaped(place, type.shape);
  lowerer_.define(value, segment_.add_view(type, *view));
}

}  // namespace trainyard::compiler
