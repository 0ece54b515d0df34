// Sizes of dimensions as values.
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_get_dimension_size(OpCheck& c) {
  (void)c.dimension("dimension", c.operand(0).shape.size());
  c.require(is_scalar(c.result()) && is_index(c.result()), "the result is one integer");
}

void verify_set_dimension_size(OpCheck& c) {
  (void)c.dimension("dimension", c.operand(0).shape.size());
  c.require(is_scalar(c.operand(1)) && is_index(c.operand(1)), "the size is one integer");
  c.require(c.result().shape.size() == c.operand(0).shape.size(), "the rank stays");
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

constexpr auto dimension_sizes_records = std::to_array<OpRecord>({
    {.kind = OpKind::get_dimension_size,
     .name = "get_dimension_size",
     .operands = {1, 1},
     .vhlo = {"dimension"},
     .verify = verify_get_dimension_size,
     .evaluate = alone<dimension_size>},
    {.kind = OpKind::set_dimension_size,
     .name = "set_dimension_size",
     .operands = {2, 2},
     .vhlo = {"dimension"},
     .verify = verify_set_dimension_size,
     .evaluate = alone<with_dimension_size>},
});

}  // namespace

std::span<const OpRecord> dimension_sizes_ops() { return dimension_sizes_records; }

}  // namespace trainyard::graph
