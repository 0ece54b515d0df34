// sort: rows along one dimension by a comparator.
#include <algorithm>
#include <numeric>

#include "graph/evaluate/folding.h"
#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"

namespace trainyard::graph {

namespace {

void verify_sort(OpCheck& c) {
  const std::size_t count = c.op.operands.size();
  if (!c.require(c.op.results.size() == count, "it has a result for each operand")) return;
  const auto rank = static_cast<std::int64_t>(c.operand(0).shape.size());
  const Attribute* const along = c.op.find("dimension");
  if (along != nullptr) {
    const std::int64_t dimension = c.integer("dimension");
    c.require(dimension >= -rank && dimension < std::max<std::int64_t>(rank, 1),
              "dimension is one of the operands'");
  }
  for (std::size_t i = 0; i < count; ++i)
    c.require(same_shape(c.operand(i), c.operand(0)) && same_type(c.operand(i), c.result(i)),
              "operands have one shape, and each result the type of its operand");
  if (c.scalar_region(0, 2 * count, 1))
    c.require(c.type(c.op.regions[0].ops.back().operands[0]).element == ElementType::pred,
              "the region returns i1");
}

// A merge sort of our own: the comparator is a program and may be no order at all, which the
// standard library does not forgive.
template <typename Less>
void merge_sort(std::vector<std::int64_t>& list, Less less) {
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

std::vector<Value> evaluate_sort(const Evaluation& e) {
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
    merge_sort(order, [&](std::int64_t a, std::int64_t b) {
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
  return results_of(e, std::move(made));
}

bool factors_of_sort(Making& make) {
  const std::int64_t rank = std::ssize(make.result()), given = make.op().integer("dimension");
  const std::size_t dim = as_dim(given < 0 ? given + rank : given);
  make.along(make.op().operands.size(), [&](std::size_t d) { return d != dim; });
  return true;
}

void complete_sort(Op& op) {
  add_default(op, "dimension", {std::int64_t{-1}});
  add_default(op, "is_stable", {false});
}

constexpr auto sort_records = std::to_array<OpRecord>({
    {.kind = OpKind::sort,
     .name = "sort",
     .operands = {1, many},
     .results = {1, many},
     .regions = {1, 1},
     .traits = {Trait::step},
     .vhlo = {"dimension is_stable"},
     .complete = complete_sort,
     .verify = verify_sort,
     .evaluate = evaluate_sort,
     .factors = factors_of_sort},
});

}  // namespace

std::span<const OpRecord> sort_ops() { return sort_records; }

}  // namespace trainyard::graph
