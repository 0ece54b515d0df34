// reduce and map. A body of simple operations folds typed numbers, which narrow formats round once,
// at the end; any other body runs element by element and rounds where it says.
#include <algorithm>

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/moves.h"

namespace trainyard::graph {

namespace {

// For each element of the operand in order, the element of the result that it folds into.
struct Folding {
  Shape steps;  // of the result, one for each dimension of the operand

  Folding(const Shape& operand, const Shape& dimensions) : steps(operand.size(), 0) {
    std::int64_t step = 1;
    for (std::size_t d = operand.size(); d-- > 0;) {
      if (std::ranges::find(dimensions, static_cast<std::int64_t>(d)) != dimensions.end()) continue;
      steps[d] = step;
      step *= operand[d];
    }
  }
};

template <typename T>
Value folded(const Evaluation& e, std::size_t input, OpKind kind) {
  const Value& operand = e.operand(input);
  const Type& result = e.results[input];
  const Folding folding(operand.shape(), e.list("dimensions"));
  const std::vector<T> all = numbers<T>(operand);
  const T initial = numbers<T>(e.operand(e.results.size() + input)).at(0);
  std::vector<T> sums(static_cast<std::size_t>(result.elements()), initial);
  std::size_t from = 0;
  for_each_index(operand.shape(), [&](Index index) {
    T& sum = sums[static_cast<std::size_t>(offset_of(index, folding.steps))];
    sum = fold(kind, sum, all[from++]);
  });
  return tensor_of(result, sums);
}

std::vector<Value> reduce(const Evaluation& e) {
  const std::size_t inputs = e.operands.size() / 2;
  const Region& body = e.op.regions.at(0);
  const auto kinds = simple_folds(body);
  if (kinds && folds_numbers(e)) {
    std::vector<Value> results;
    for (std::size_t i = 0; i < inputs; ++i) {
      results.push_back(with_number_of(e.results[i].element, [&](auto zero) {
        return folded<decltype(zero)>(e, i, (*kinds)[i]);
      }));
    }
    return results;
  }
  const Folding folding(e.operand(0).shape(), e.list("dimensions"));
  const auto count = static_cast<std::size_t>(e.result().elements());
  std::vector<std::vector<Value>> sums(count);
  for (auto& sum : sums)
    sum.assign(e.operands.begin() + static_cast<std::ptrdiff_t>(inputs), e.operands.end());
  std::int64_t from = 0;
  for_each_index(e.operand(0).shape(), [&](Index index) {
    auto& sum = sums[static_cast<std::size_t>(offset_of(index, folding.steps))];
    std::vector<Value> arguments = sum;
    for (std::size_t i = 0; i < inputs; ++i) arguments.push_back(scalar_at(e.operand(i), from));
    sum = e.evaluator.run(body, arguments);
    ++from;
  });
  std::vector<Value> results;
  for (std::size_t i = 0; i < inputs; ++i) {
    Content bytes(static_cast<std::size_t>(e.results[i].bytes()));
    for (std::size_t at = 0; at < count; ++at)
      put_scalar(sums[at].at(i), bytes, static_cast<std::int64_t>(at));
    results.push_back(make_value(e.results[i], std::move(bytes)));
  }
  return results;
}

Value map(const Evaluation& e) {
  Content bytes(static_cast<std::size_t>(e.result().bytes()));
  for (std::int64_t at = 0; at < e.result().elements(); ++at) {
    std::vector<Value> arguments;
    for (const Value& operand : e.operands) arguments.push_back(scalar_at(operand, at));
    put_scalar(e.evaluator.run(e.op.regions.at(0), arguments).at(0), bytes, at);
  }
  return make_value(e.result(), std::move(bytes));
}

}  // namespace

Results evaluate_reduction(const Evaluation& e) {
  if (e.op.kind == OpKind::reduce) return reduce(e);
  if (e.op.kind == OpKind::map) return std::vector<Value>{map(e)};
  return std::nullopt;
}

}  // namespace trainyard::graph
