// Operands repeated along dimensions that they lack, or that are 1.
#include <algorithm>

#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_broadcast(OpCheck& c) {
  same_elements(c);
  const Integers sizes = c.list("broadcast_sizes");
  std::vector<std::int64_t> shape(sizes.begin(), sizes.end());
  shape.insert(shape.end(), c.operand(0).shape.begin(), c.operand(0).shape.end());
  c.require(shape_is(c.result(), shape), "the result has broadcast_sizes before the operand's");
}

void verify_broadcast_in_dim(OpCheck& c) {
  same_elements(c);
  const Integers dims = c.list("broadcast_dimensions");
  const Type &from = c.operand(0), &to = c.result();
  c.are_dimensions("broadcast_dimensions", dims, to.shape.size());
  c.require(dims.size() == from.shape.size(),
            "broadcast_dimensions has one number for each dimension of the operand");
  if (c.has_failed()) return;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t size = from.shape[i];
    if (!c.require(size == 1 || fits(size, to.shape[static_cast<std::size_t>(dims[i])]),
                   "a dimension keeps its size, or has been 1"))
      return;
  }
}

void verify_dynamic_broadcast_in_dim(OpCheck& c) {
  c.require(is_shape(c.operand(1)), "the shape is a list of integers");
  verify_broadcast_in_dim(c);
}

Value evaluate_broadcast(const Evaluation& e) {
  Shape steps(e.result().shape.size(), 0);
  const Shape from = row_major_steps(e.operand(0).shape());
  std::copy(from.begin(), from.end(), steps.end() - static_cast<std::ptrdiff_t>(from.size()));
  return move_elements(e.operand(0), e.result(), 0, steps);
}

Value broadcast_in_dim(const Evaluation& e, const Shape& dimensions) {
  const Value& operand = e.operand(0);
  const Shape from = row_major_steps(operand.shape());
  Shape steps(e.result().shape.size(), 0);
  e.require(dimensions.size() == from.size(), "broadcast_dimensions has one number a dimension");
  for (std::size_t d = 0; d < from.size(); ++d) {
    const auto at = static_cast<std::size_t>(dimensions[d]);
    e.require(at < steps.size() &&
                  (operand.shape()[d] == 1 || operand.shape()[d] == e.result().shape[at]),
              "each dimension of the operand is 1 or that of the result");
    if (operand.shape()[d] != 1) steps[at] = from[d];
  }
  return move_elements(operand, e.result(), 0, steps);
}

Value evaluate_broadcast_in_dim(const Evaluation& e) {
  e.require(e.result().is_static(), "a result of static shape");
  return broadcast_in_dim(e, e.list("broadcast_dimensions"));
}

bool factors_of_broadcast(Making& make) {
  const std::span<const std::int64_t> dims = make.op().integers("broadcast_dimensions");
  for (std::size_t d = 0; d < make.result().size(); ++d) {
    const std::size_t factor = make.add(make.result()[d]);
    make.of_result(0, d, factor);
    const auto from = std::ranges::find(dims, static_cast<std::int64_t>(d));
    const auto k = static_cast<std::size_t>(from - dims.begin());
    if (from != dims.end() && make.operand(0)[k] == make.result()[d]) make.of_operand(0, k, factor);
  }
  return true;
}

constexpr auto broadcasts_records = std::to_array<OpRecord>({
    {.kind = OpKind::broadcast,
     .name = "broadcast",
     .operands = {1, 1},
     .traits = {Trait::move},
     .vhlo = {"broadcast_sizes"},
     .verify = verify_broadcast,
     .evaluate = alone<evaluate_broadcast>},
    {.kind = OpKind::broadcast_in_dim,
     .name = "broadcast_in_dim",
     .operands = {1, 1},
     .traits = {Trait::move, Trait::arrange},
     .vhlo = {"broadcast_dimensions"},
     .verify = verify_broadcast_in_dim,
     .evaluate = alone<evaluate_broadcast_in_dim>,
     .factors = factors_of_broadcast},
    {.kind = OpKind::dynamic_broadcast_in_dim,
     .name = "dynamic_broadcast_in_dim",
     .operands = {2, 2},
     .vhlo = {"broadcast_dimensions known_expanding_dimensions known_nonexpanding_dimensions"},
     .verify = verify_dynamic_broadcast_in_dim,
     .evaluate = alone<evaluate_broadcast_in_dim>},
});

}  // namespace

std::span<const OpRecord> broadcasts_ops() { return broadcasts_records; }

}  // namespace trainyard::graph
