// map: a region applied to each element.
#include <algorithm>

#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_map(OpCheck& c) {
  for (std::size_t i = 0; i < c.op.operands.size(); ++i)
    c.require(same_shape(c.operand(i), c.result()), "operands and result have one shape");
  c.scalar_region(0, c.op.operands.size(), 1);
}

Value evaluate_map(const Evaluation& e) {
  Content bytes(static_cast<std::size_t>(e.result().bytes()));
  for (std::int64_t at = 0; at < e.result().elements(); ++at) {
    std::vector<Value> arguments;
    for (const Value& operand : e.operands) arguments.push_back(scalar_at(operand, at));
    put_scalar(e.evaluator.run(e.op.regions.at(0), arguments).at(0), bytes, at);
  }
  return make_value(e.result(), std::move(bytes));
}

constexpr auto map_records = std::to_array<OpRecord>({
    {.kind = OpKind::map,
     .name = "map",
     .operands = {1, many},
     .regions = {1, 1},
     .vhlo = {"dimensions"},
     .verify = verify_map,
     .evaluate = alone<evaluate_map>},
});

}  // namespace

std::span<const OpRecord> map_ops() { return map_records; }

}  // namespace trainyard::graph
