// The operations whose shapes are operands, where the type of the result is static all the same.
#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/moves.h"

namespace trainyard::graph {

namespace {

bool is_of_this_family(OpKind kind) {
  switch (kind) {
    case OpKind::dynamic_broadcast_in_dim:
    case OpKind::dynamic_iota:
    case OpKind::dynamic_pad:
    case OpKind::dynamic_reshape:
    case OpKind::real_dynamic_slice:
    case OpKind::get_dimension_size:
    case OpKind::set_dimension_size: return true;
    default: return false;
  }
}

Value dimension_size(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("dimension"));
  return tensor_of(e.result(), std::vector<std::int64_t>{e.operand(0).shape().at(dimension)});
}

Value with_dimension_size(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("dimension"));
  e.require(integers_in(e.operand(1)).at(0) == e.operand(0).shape().at(dimension),
            "the size is that of the operand: bounded dynamic shapes are not evaluated");
  return e.operand(0);
}

Value dynamic_iota(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("iota_dimension"));
  std::vector<std::int64_t> all;
  for_each_index(e.result().shape, [&](Index index) { all.push_back(index[dimension]); });
  return tensor_of(e.result(), all);
}

}  // namespace

Results evaluate_dynamic_shape(const Evaluation& e) {
  using V = std::vector<Value>;
  if (!is_of_this_family(e.op.kind)) return std::nullopt;
  e.require(e.result().is_static(), "a result of static shape");
  switch (e.op.kind) {
    case OpKind::dynamic_broadcast_in_dim:
      return V{broadcast_in_dim(e, e.list("broadcast_dimensions"))};
    case OpKind::dynamic_iota: return V{dynamic_iota(e)};
    case OpKind::dynamic_pad:
      return V{padded(e, integers_in(e.operand(2)), integers_in(e.operand(4)))};
    case OpKind::dynamic_reshape: return V{reshaped(e)};
    case OpKind::real_dynamic_slice:
      return V{sliced(e, integers_in(e.operand(1)), integers_in(e.operand(3)))};
    case OpKind::get_dimension_size: return V{dimension_size(e)};
    default: return V{with_dimension_size(e)};
  }
}

}  // namespace trainyard::graph
