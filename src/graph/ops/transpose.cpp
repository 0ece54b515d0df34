// transpose: dimensions in another order.
#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_transpose(OpCheck& c) {
  same_elements(c);
  const Integers order = c.list("permutation");
  const Type &from = c.operand(0), &to = c.result();
  c.are_dimensions("permutation", order, from.shape.size());
  c.require(order.size() == from.shape.size() && to.shape.size() == from.shape.size(),
            "permutation names every dimension");
  if (c.has_failed()) return;
  for (std::size_t i = 0; i < order.size(); ++i)
    c.require(fits(to.shape[i], from.shape[static_cast<std::size_t>(order[i])]),
              "dimension i of the result is dimension permutation[i] of the operand");
}

Value evaluate_transpose(const Evaluation& e) {
  const Shape permutation = e.list("permutation");
  const Shape from = row_major_steps(e.operand(0).shape());
  Shape steps;
  for (const std::int64_t d : permutation) {
    e.require(d >= 0 && static_cast<std::size_t>(d) < from.size(), "permutation names dimensions");
    steps.push_back(from[static_cast<std::size_t>(d)]);
  }
  return move_elements(e.operand(0), e.result(), 0, steps);
}

bool factors_of_transpose(Making& make) {
  const std::span<const std::int64_t> permutation = make.op().integers("permutation");
  for (std::size_t d = 0; d < permutation.size(); ++d) make.keep(as_dim(permutation[d]), d);
  return true;
}

constexpr auto transpose_records = std::to_array<OpRecord>({
    {.kind = OpKind::transpose,
     .name = "transpose",
     .operands = {1, 1},
     .traits = {Trait::move, Trait::arrange},
     .vhlo = {"permutation"},
     .verify = verify_transpose,
     .evaluate = alone<evaluate_transpose>,
     .factors = factors_of_transpose},
});

}  // namespace

std::span<const OpRecord> transpose_ops() { return transpose_records; }

}  // namespace trainyard::graph
