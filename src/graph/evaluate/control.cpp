// Control flow, calls, tuples and tokens, and collectives over the one rank there is.
#include <fmt/format.h>

#include <algorithm>

#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

namespace {

std::vector<Value> loop(const Evaluation& e) {
  std::vector<Value> state(e.operands.begin(), e.operands.end());
  std::int64_t left = e.evaluator.limits().loop_iterations_max;
  while (truth_of(e.evaluator.run(e.op.regions.at(0), state).at(0))) {
    if (--left < 0) e.refuse("a loop ends", "more iterations than the limit allows");
    state = e.evaluator.run(e.op.regions.at(1), state);
  }
  return state;
}

std::vector<Value> branch(const Evaluation& e) {
  if (e.op.kind == OpKind::if_) {
    return e.evaluator.run(e.op.regions.at(truth_of(e.operand(0)) ? 0 : 1), {});
  }
  const auto branches = static_cast<std::int64_t>(e.op.regions.size());
  const std::int64_t wanted = integers_in(e.operand(0)).at(0);
  const bool exists = wanted >= 0 && wanted < branches;
  return e.evaluator.run(e.op.regions.at(static_cast<std::size_t>(exists ? wanted : branches - 1)),
                         {});
}

std::vector<Value> call(const Evaluation& e) {
  const Function* const callee = e.evaluator.module().find(e.op.symbol("callee"));
  if (callee == nullptr) e.refuse("a call names a function", e.op.symbol("callee"));
  return e.evaluator.call(*callee, {e.operands.begin(), e.operands.end()});
}

std::vector<Value> passed_on(const Evaluation& e) {
  std::vector<Value> results(e.operands.begin(), e.operands.end());
  results.resize(e.results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    e.require(results[i].type == e.results[i], "one rank: the result has the type of the operand");
  }
  return results;
}

bool is_collective(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather:
    case OpKind::all_reduce:
    case OpKind::all_to_all:
    case OpKind::collective_broadcast:
    case OpKind::collective_permute:
    case OpKind::collective_reduce:
    case OpKind::cross_replica_sum:
    case OpKind::reduce_scatter: return true;
    default: return false;
  }
}

// A rank that nobody sends to gets zeros.
std::vector<Value> permuted(const Evaluation& e) {
  const Shape pairs = e.list("source_target_pairs");
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i] == 0 && pairs[i + 1] == 0) return passed_on(e);
  }
  return {make_value(e.result(), Content(static_cast<std::size_t>(e.result().bytes())))};
}

Value rank(const Evaluation& e) {
  return make_value(e.result(), Content(static_cast<std::size_t>(e.result().bytes())));
}

Value token(const Evaluation& e) { return {e.result(), {}, {}}; }

Value tuple(const Evaluation& e) {
  return {e.result(), {}, {e.operands.begin(), e.operands.end()}};
}

Value tuple_element(const Evaluation& e) {
  const auto index = static_cast<std::size_t>(e.op.integer("index"));
  e.require(index < e.operand(0).parts.size(), "index is an element of the tuple");
  return e.operand(0).parts[index];
}

}  // namespace

Results evaluate_control(const Evaluation& e) {
  using V = std::vector<Value>;
  if (e.op.kind == OpKind::collective_permute) return permuted(e);
  if (is_collective(e.op.kind)) return passed_on(e);
  switch (e.op.kind) {
    case OpKind::while_: return loop(e);
    case OpKind::if_:
    case OpKind::case_: return branch(e);
    case OpKind::call: return call(e);
    case OpKind::optimization_barrier: return passed_on(e);
    case OpKind::tuple: return V{tuple(e)};
    case OpKind::get_tuple_element: return V{tuple_element(e)};
    case OpKind::after_all:
    case OpKind::create_token: return V{token(e)};
    case OpKind::partition_id:
    case OpKind::replica_id: return V{rank(e)};
    default: return std::nullopt;
  }
}

}  // namespace trainyard::graph
