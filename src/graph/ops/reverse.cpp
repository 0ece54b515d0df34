// reverse: dimensions counted from their ends.
#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_reverse(OpCheck& c) {
  same_elements(c);
  c.require(same_shape(c.operand(0), c.result()), "operand and result have one shape");
  c.are_dimensions("dimensions", c.list("dimensions"), c.operand(0).shape.size());
}

Value evaluate_reverse(const Evaluation& e) {
  const Shape from = row_major_steps(e.operand(0).shape());
  Shape steps = from;
  std::int64_t base = 0;
  for (const std::int64_t d : e.list("dimensions")) {
    const auto at = static_cast<std::size_t>(d);
    e.require(at < from.size(), "dimensions are dimensions of the operand");
    if (e.operand(0).shape()[at] == 0) continue;
    base += (e.operand(0).shape()[at] - 1) * from[at];
    steps[at] = -from[at];
  }
  return move_elements(e.operand(0), e.result(), base, steps);
}

bool factors_of_reverse(Making& make) {
  make.along(1, [&](std::size_t d) { return !holds_dim(make.op().integers("dimensions"), d); });
  return true;
}

constexpr auto reverse_records = std::to_array<OpRecord>({
    {.kind = OpKind::reverse,
     .name = "reverse",
     .operands = {1, 1},
     .traits = {Trait::move, Trait::arrange},
     .vhlo = {"dimensions"},
     .verify = verify_reverse,
     .evaluate = alone<evaluate_reverse>,
     .factors = factors_of_reverse},
});

}  // namespace

std::span<const OpRecord> reverse_ops() { return reverse_records; }

}  // namespace trainyard::graph
