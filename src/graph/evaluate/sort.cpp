// sort: rows along one dimension by a comparator.
#include <algorithm>
#include <numeric>

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/moves.h"

namespace trainyard::graph {

namespace {

// A merge sort of our own: the comparator is a program and may be no order at all, which the
// standard library does not forgive.
template <typename Less>
void stable_sort(std::vector<std::int64_t>& list, Less less) {
  std::vector<std::int64_t> other(list.size());
  for (std::size_t width = 1; width < list.size(); width *= 2) {
    for (std::size_t begin = 0; begin < list.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, list.size());
      const std::size_t end = std::min(begin + 2 * width, list.size());
      std::size_t a = begin, b = middle;
      for (std::size_t to = begin; to < end; ++to) {
        const bool takes_right = a == middle || (b < end && less(list[b], list[a]));
        other[to] = takes_right ? list[b++] : list[a++];
      }
    }
    list.swap(other);
  }
}

std::vector<Value> sort(const Evaluation& e) {
  const Shape& shape = e.operand(0).shape();
  std::int64_t wanted = e.op.integer("dimension");
  if (wanted < 0) wanted += static_cast<std::int64_t>(shape.size());
  const auto dimension = static_cast<std::size_t>(wanted);
  e.require(dimension < shape.size(), "dimension is a dimension of the operands");
  Shape outer = shape;
  outer[dimension] = shape[dimension] == 0 ? 0 : 1;
  const Shape steps = row_major_steps(shape);
  std::vector<Content> made;
  for (const Value& operand : e.operands) made.push_back(*operand.bytes);
  std::vector<Value> arguments(2 * e.operands.size());
  for_each_index(outer, [&](Index index) {
    const std::int64_t base = offset_of(index, steps);
    std::vector<std::int64_t> order(static_cast<std::size_t>(shape[dimension]));
    std::iota(order.begin(), order.end(), 0);
    stable_sort(order, [&](std::int64_t a, std::int64_t b) {
      for (std::size_t i = 0; i < e.operands.size(); ++i) {
        arguments[2 * i] = scalar_at(e.operand(i), base + a * steps[dimension]);
        arguments[2 * i + 1] = scalar_at(e.operand(i), base + b * steps[dimension]);
      }
      return truth_of(e.evaluator.run(e.op.regions.at(0), arguments).at(0));
    });
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      for (std::size_t row = 0; row < order.size(); ++row) {
        const Value moved = scalar_at(e.operand(i), base + order[row] * steps[dimension]);
        put_scalar(moved, made[i], base + static_cast<std::int64_t>(row) * steps[dimension]);
      }
    }
  });
  std::vector<Value> results;
  for (std::size_t i = 0; i < made.size(); ++i) {
    results.push_back(make_value(e.results[i], std::move(made[i])));
  }
  return results;
}

}  // namespace

Results evaluate_sort(const Evaluation& e) {
  if (e.op.kind == OpKind::sort) return sort(e);
  return std::nullopt;
}

}  // namespace trainyard::graph
