// if and case: one of several regions.
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_branch(OpCheck& c) {
  const Type& index = c.operand(0);
  const ElementType wanted = c.op.kind == OpKind::if_ ? ElementType::pred : ElementType::s32;
  c.require(is_scalar(index) && index.element == wanted,
            c.op.kind == OpKind::if_ ? "the predicate is one i1" : "the index is one i32");
  for (std::size_t i = 0; i < c.op.regions.size(); ++i) c.region_types(i, {}, c.op.results);
}

std::vector<Value> evaluate_branch(const Evaluation& e) {
  if (e.op.kind == OpKind::if_) {
    return e.evaluator.run(e.op.regions.at(truth_of(e.operand(0)) ? 0 : 1), {});
  }
  const auto branches = static_cast<std::int64_t>(e.op.regions.size());
  const std::int64_t wanted = integers_in(e.operand(0)).at(0);
  const bool exists = wanted >= 0 && wanted < branches;
  return e.evaluator.run(e.op.regions.at(static_cast<std::size_t>(exists ? wanted : branches - 1)),
                         {});
}

constexpr auto branches_records = std::to_array<OpRecord>({
    {.kind = OpKind::case_,
     .name = "case",
     .operands = {1, 1},
     .results = {0, many},
     .regions = {1, many},
     .any_types = true,
     .traits = {Trait::control},
     .verify = verify_branch,
     .evaluate = evaluate_branch},
    {.kind = OpKind::if_,
     .name = "if",
     .operands = {1, 1},
     .results = {0, many},
     .regions = {2, 2},
     .any_types = true,
     .traits = {Trait::control},
     .verify = verify_branch,
     .evaluate = evaluate_branch},
});

}  // namespace

std::span<const OpRecord> branches_ops() { return branches_records; }

}  // namespace trainyard::graph
