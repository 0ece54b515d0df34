// while: a region as long as another one says.
#include "graph/evaluate/control.h"
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_loop(OpCheck& c) {
  all_passed_on(c);
  const Region& condition = c.op.regions[0];
  c.require(same_types(c, condition.arguments, c.op.operands),
            "the condition takes the values of the loop");
  const auto& decided = condition.ops.back().operands;
  c.require(decided.size() == 1 && is_scalar(c.type(decided[0])) &&
                c.type(decided[0]).element == ElementType::pred,
            "the condition returns one i1");
  c.region_types(1, c.op.operands, c.op.results);
}

std::vector<Value> evaluate_loop(const Evaluation& e) {
  std::vector<Value> state(e.operands.begin(), e.operands.end());
  std::int64_t left = e.evaluator.limits().loop_iterations_max;
  while (truth_of(e.evaluator.run(e.op.regions.at(0), state).at(0))) {
    if (--left < 0) e.refuse("a loop ends", "more iterations than the limit allows");
    state = e.evaluator.run(e.op.regions.at(1), state);
  }
  return state;
}

constexpr auto while_records = std::to_array<OpRecord>({
    {.kind = OpKind::while_,
     .name = "while",
     .operands = {0, many},
     .results = {0, many},
     .regions = {2, 2},
     .any_types = true,
     .traits = {Trait::control},
     .verify = verify_loop,
     .evaluate = evaluate_loop},
});

}  // namespace

std::span<const OpRecord> while_ops() { return while_records; }

}  // namespace trainyard::graph
