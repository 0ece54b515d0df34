#include "compiler/lowering/patterns/small_matrices.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/dot_sides.h"
#include "graph/builder.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// What the array takes for a product that shares it with others, in nanoseconds: 46 by simulation
// of 30,000 products of 3 x 3. Turning the operands and the result takes some microseconds.
constexpr std::int64_t product_ns = 46, turning_ns = 40'000;
// The operations that are written out.
constexpr std::int64_t depth_max = 16, terms_max = 512;

class SmallMatrices {
 public:
  SmallMatrices(Function& function, std::int64_t partitions)
      : function_(function), partitions_(partitions) {
    graph::replace_each(function.body, [&](const Op& op, std::vector<Op>& ops) {
      if (!is_one(op)) return false;
      multiply(op, ops);
      return true;
    });
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] std::int64_t size(ValueId value, const Dims& dims) const {
    std::int64_t all = 1;
    for (const std::int64_t dim : dims) all *= type(value).shape[static_cast<std::size_t>(dim)];
    return all;
  }
  static Dims list(std::span<const std::int64_t> dims) { return {dims.begin(), dims.end()}; }

  // The dimensions that only this side has.
  [[nodiscard]] Dims free(const Op& dot, std::size_t side) const {
    const auto batches = dot.integers(dot_sides[side].batches),
               depths = dot.integers(dot_sides[side].depths);
    Dims all;
    for (std::int64_t dim = 0; dim < type(dot.operands[side]).rank(); ++dim)
      if (!is_in(batches, dim) && !is_in(depths, dim)) all.push_back(dim);
    return all;
  }

  [[nodiscard]] bool is_one(const Op& dot) const {
    if (dot.kind != OpKind::dot_general || dot.operands.size() != 2) return false;
    for (const ValueId value : {dot.operands[0], dot.operands[1], dot.results[0]}) {
      const Type& each = type(value);
      if (!each.is_static() || !each.quantized.empty() || each.elements() == 0 ||
          !graph::is_float(each.element) || graph::bits(each.element) > 32)
        return false;
    }
    const ValueId left = dot.operands[0], right = dot.operands[1];
    const std::int64_t batches = size(left, list(dot.integers(dot_sides[0].batches))),
                       depth = size(left, list(dot.integers(dot_sides[0].depths))),
                       rows = size(left, free(dot, 0)), columns = size(right, free(dot, 1));
    if (rows < 2 || columns < 2 || depth > depth_max || rows * columns * depth > terms_max)
      return false;
    // Vector multiplies and adds in two passes over what lies in each partition; values that go by
    // way of HBM between them make that eight times as long.
    const std::int64_t passes_ns = 16 * rows * columns * depth * batches / partitions_;
    return passes_ns + turning_ns < product_ns * batches;
  }

  // Its own dimensions, those that are summed, and all products one after the other.
  [[nodiscard]] ValueId turned(const Op& dot, std::size_t side, graph::Builder& write) const {
    const ValueId value = write.convert(dot.operands[side], ElementType::f32);
    const Dims own = free(dot, side), depths = list(dot.integers(dot_sides[side].depths)),
               batches = list(dot.integers(dot_sides[side].batches));
    Dims order = own;
    order.insert(order.end(), depths.begin(), depths.end());
    order.insert(order.end(), batches.begin(), batches.end());
    return write.reshape(write.turned(value, order),
                         {size(value, own), size(value, depths), size(value, batches)});
  }

  void multiply(const Op& dot, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, dot.location);
    const std::array<ValueId, 2> sides{turned(dot, 0, write), turned(dot, 1, write)};
    const std::int64_t depth = type(sides[0]).shape[1];
    const Dims shape{type(sides[0]).shape[0], type(sides[1]).shape[0], type(sides[0]).shape[2]};
    const auto factor = [&](std::size_t side, std::int64_t step) {
      const ValueId some = write.sliced(sides[side], 1, step, step + 1);
      const auto place = static_cast<std::int64_t>(side);
      return write.spread(write.reshape(some, {shape[side], shape[2]}), {place, 2}, shape);
    };
    ValueId sum = 0;
    for (std::int64_t step = 0; step < depth; ++step) {
      const Type product{.element = ElementType::f32, .shape = shape};
      const ValueId term =
          write.emit(OpKind::multiply, {factor(0, step), factor(1, step)}, Type(product));
      sum = step == 0 ? term : write.emit(OpKind::add, {sum, term}, Type(product));
    }
    // In the result's order: what all products have first.
    const Type& result = type(dot.results[0]);
    const auto batches = std::ssize(dot.integers(dot_sides[0].batches));
    Dims apart(result.shape.begin() + batches, result.shape.end()), order;
    const std::int64_t own = std::ssize(apart);
    apart.insert(apart.end(), result.shape.begin(), result.shape.begin() + batches);
    for (std::int64_t dim = 0; dim < result.rank(); ++dim)
      order.push_back(dim < batches ? own + dim : dim - batches);
    const ValueId narrow = write.convert(sum, result.element);
    ops.push_back({.kind = OpKind::transpose,
                   .operands = {write.reshape(narrow, apart)},
                   .results = dot.results,
                   .attributes = {{"permutation", {std::move(order)}}},
                   .location = dot.location});
  }

  Function& function_;
  std::int64_t partitions_;
};

}  // namespace

void multiply_small_matrices(graph::Module& module, const machine::Core& core) {
  for (Function& function : module.functions) SmallMatrices{function, core.sbuf.partitions};
}

}  // namespace trainyard::compiler
