// tuple, get_tuple_element and optimization_barrier: values as they are.
#include <algorithm>

#include "graph/evaluate/control.h"
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_tuple(OpCheck& c) {
  const Type& type = c.result();
  const auto same = [&](ValueId value, const Type& part) { return same_type(c.type(value), part); };
  c.require(type.kind == Type::Kind::tuple && std::ranges::equal(c.op.operands, type.parts, same),
            "the result is a tuple of the operands");
}

void verify_get_tuple_element(OpCheck& c) {
  const Type& whole = c.operand(0);
  if (!c.require(whole.kind == Type::Kind::tuple, "the operand is a tuple")) return;
  const std::size_t index = c.dimension("index", whole.parts.size());
  if (!c.has_failed())
    c.require(same_type(whole.parts[index], c.result()), "the result is that part of the tuple");
}

Value evaluate_tuple(const Evaluation& e) {
  return {e.result(), {}, {e.operands.begin(), e.operands.end()}};
}

Value tuple_element(const Evaluation& e) {
  const auto index = static_cast<std::size_t>(e.op.integer("index"));
  e.require(index < e.operand(0).parts.size(), "index is an element of the tuple");
  return e.operand(0).parts[index];
}

constexpr auto tuples_records = std::to_array<OpRecord>({
    {.kind = OpKind::get_tuple_element,
     .name = "get_tuple_element",
     .operands = {1, 1},
     .any_types = true,
     .traits = {Trait::keeps_format},
     .vhlo = {"index"},
     .verify = verify_get_tuple_element,
     .evaluate = alone<tuple_element>},
    {.kind = OpKind::optimization_barrier,
     .name = "optimization_barrier",
     .operands = {0, many},
     .results = {0, many},
     .any_types = true,
     .verify = all_passed_on,
     .evaluate = pass_on},
    {.kind = OpKind::tuple,
     .name = "tuple",
     .operands = {0, many},
     .any_types = true,
     .traits = {Trait::keeps_format},
     .verify = verify_tuple,
     .evaluate = alone<evaluate_tuple>},
});

}  // namespace

std::span<const OpRecord> tuples_ops() { return tuples_records; }

}  // namespace trainyard::graph
