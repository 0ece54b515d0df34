// reduce. A body of simple operations folds typed numbers, which narrow formats round once,
// at the end; any other body runs element by element and rounds where it says.
#include <algorithm>

#include "graph/evaluate/folding.h"
#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

void verify_reduce(OpCheck& c) {
  const std::size_t inputs = inputs_and_initials(c);
  const Integers dims = c.list("dimensions");
  if (inputs == 0) return;
  const Type& from = c.operand(0);
  c.are_dimensions("dimensions", dims, from.shape.size());
  std::vector<std::int64_t> shape;
  for (std::size_t d = 0; d < from.shape.size(); ++d) {
    if (std::ranges::find(dims, static_cast<std::int64_t>(d)) == dims.end())
      shape.push_back(from.shape[d]);
  }
  for (std::size_t i = 0; i < inputs; ++i)
    c.require(shape_is(c.result(i), shape), "a result has the dimensions that are left");
}

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

std::vector<Value> evaluate_reduce(const Evaluation& e) {
  const std::size_t inputs = e.operands.size() / 2;
  const Region& body = e.op.regions.at(0);
  const auto numbers_folded = [&](auto zero, std::size_t i, OpKind kind) {
    return folded<decltype(zero)>(e, i, kind);
  };
  if (auto results = folded_results(e, body, numbers_folded)) return *std::move(results);
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

bool factors_of_reduce(Making& make) {
  const Op& op = make.op();
  const std::size_t count = op.operands.size() / 2;
  const std::span<const std::int64_t> dims = op.integers("dimensions");
  const ElementType element = make.facts().type(op.results[0]).element;
  const bool sums =
      count == 1 && is_sum(op.regions.at(0), element) && make.facts().is_zero(op.operands[1]);
  const bool combines = count == 1 && is_idempotent(op.regions.at(0));
  std::size_t next = 0;
  for (std::size_t d = 0; d < make.operand(0).size(); ++d) {
    const bool is_kept = !holds_dim(dims, d);
    if (!is_kept && !sums && !combines) continue;
    const std::size_t factor = make.add(make.operand(0)[d], is_kept ? Making::Kind::kept
                                                            : sums  ? Making::Kind::summed
                                                                    : Making::Kind::combined);
    for (std::size_t i = 0; i < count; ++i) {
      make.of_operand(i, d, factor);
      if (is_kept) make.of_result(i, next, factor);
    }
    if (is_kept) ++next;
  }
  return true;
}

constexpr auto reduce_records = std::to_array<OpRecord>({
    {.kind = OpKind::reduce,
     .name = "reduce",
     .operands = {2, many},
     .results = {1, many},
     .regions = {1, 1},
     .vhlo = {"dimensions"},
     .verify = verify_reduce,
     .evaluate = evaluate_reduce,
     .factors = factors_of_reduce},
});

}  // namespace

std::span<const OpRecord> reduce_ops() { return reduce_records; }

}  // namespace trainyard::graph
