// dynamic_update_slice: an operand with a part of it replaced.
#include <algorithm>

#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

void verify_dynamic_update_slice(OpCheck& c) {
  const Type &whole = c.operand(0), &part = c.operand(1);
  c.require(same_type(whole, c.result()), "the result has the type of the operand");
  c.require(same_element(whole, part), "operand and update have one element type");
  start_indices(c, 2, whole.shape.size());
  if (!c.require(part.shape.size() == whole.shape.size(), "operand and update have one rank"))
    return;
  for (std::size_t d = 0; d < part.shape.size(); ++d)
    c.require(whole.shape[d] == dynamic_extent || part.shape[d] <= whole.shape[d],
              "the update is no larger than the operand");
}

Value evaluate_dynamic_update_slice(const Evaluation& e) {
  const Value &operand = e.operand(0), &update = e.operand(1);
  const Shape steps = row_major_steps(operand.shape());
  std::int64_t base = 0;
  for (std::size_t d = 0; d + 2 < e.operands.size(); ++d) {
    const std::int64_t wanted = integers_in(e.operand(d + 2)).at(0);
    const std::int64_t most = operand.shape().at(d) - update.shape().at(d);
    e.require(most >= 0, "the update is no larger than the operand");
    base += std::clamp<std::int64_t>(wanted, 0, most) * steps[d];
  }
  Content bytes = *operand.bytes;
  scatter_elements(update, bytes, base, steps);
  return make_value(e.result(), std::move(bytes));
}

// Along a dimension of which places are written, each part takes those that it has, of any place:
// it is at least as long as what is written.
bool factors_of_dynamic_update_slice(Making& make) {
  make.along(2, [](std::size_t) { return true; });
  for (std::size_t d = 0; d < make.result().size(); ++d) {
    const std::int64_t size = make.result()[d], written = make.operand(1)[d];
    if (written == size || written == 0 || size % written != 0) continue;
    const std::size_t factor = make.add(size / written);
    make.of_operand(0, d, factor);
    make.of_result(0, d, factor);
  }
  return true;
}

constexpr auto updates_records = std::to_array<OpRecord>({
    {.kind = OpKind::dynamic_update_slice,
     .name = "dynamic_update_slice",
     .operands = {2, many},
     .traits = {Trait::move},
     .verify = verify_dynamic_update_slice,
     .evaluate = alone<evaluate_dynamic_update_slice>,
     .factors = factors_of_dynamic_update_slice},
});

}  // namespace

std::span<const OpRecord> updates_ops() { return updates_records; }

}  // namespace trainyard::graph
