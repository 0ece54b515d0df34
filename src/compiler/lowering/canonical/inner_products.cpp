#include "compiler/lowering/canonical/inner_products.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/canonical/dot_sides.h"
#include "graph/builder.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// A product takes the array about 0.2 us to begin, however small it is; Vector multiplies and adds
// two numbers of 128 partitions in about 1.7 ns (machines/trn3.toml: vector.clock, pairs of two
// cycles).
constexpr std::int64_t multiplications_max = 16'384, products_min = 16;
// A deeper or wider product begins again.
constexpr std::int64_t depth_of_array = 128, columns_of_array = 512;

class InnerProducts {
 public:
  explicit InnerProducts(Function& function) : function_(function) {
    graph::replace_each(function.body, [&](const Op& op, std::vector<Op>& ops) {
      const std::size_t whole = whole_side(op);
      if (whole >= 2) return false;
      sum(op, whole, ops);
      return true;
    });
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] std::int64_t size(ValueId value, std::span<const std::int64_t> dims) const {
    std::int64_t all = 1;
    for (const std::int64_t dim : dims) all *= type(value).shape[static_cast<std::size_t>(dim)];
    return all;
  }

  // The side that has more dimensions of its own; 2 where the array multiplies better.
  [[nodiscard]] std::size_t whole_side(const Op& dot) const {
    constexpr std::size_t none = 2;
    if (dot.kind != OpKind::dot_general || dot.operands.size() != 2) return none;
    const Type& result = type(dot.results[0]);
    std::array<std::int64_t, 2> free{};
    for (std::size_t side = 0; side < 2; ++side) {
      const Type& operand = type(dot.operands[side]);
      if (!operand.is_static() || !operand.quantized.empty() || operand.elements() == 0 ||
          !graph::is_float(operand.element) || graph::bits(operand.element) > 32)
        return none;
      free[side] = operand.elements() / size(dot.operands[side], closed(dot, side));
    }
    if (!graph::is_float(result.element) || graph::bits(result.element) > 32) return none;
    const std::int64_t batches = size(dot.operands[0], dot.integers(dot_sides[0].batches)),
                       depth = size(dot.operands[0], dot.integers(dot_sides[0].depths));
    const bool is_inner = free[0] == 1 && free[1] == 1;
    const bool is_outer = dot.integers(dot_sides[0].depths).empty();
    const std::int64_t begun = base::ceil_div(depth, depth_of_array) *
                               base::ceil_div(std::max(free[0], free[1]), columns_of_array);
    if (batches < products_min || (free[0] != 1 && free[1] != 1 && !is_outer) ||
        (!is_inner && free[0] * free[1] * depth > multiplications_max * begun))
      return none;
    return free[0] >= free[1] ? 0 : 1;
  }
  // The dimensions that both operands have.
  static Dims closed(const Op& dot, std::size_t side) {
    Dims all;
    for (const std::string_view name : {dot_sides[side].batches, dot_sides[side].depths}) {
      const auto dims = dot.integers(name);
      all.insert(all.end(), dims.begin(), dims.end());
    }
    return all;
  }

  // Dimensions of the product before its sum: those of the whole side as they lie, and before its
  // last one those that only the other side has.
  struct Space {
    Dims shape{}, whole{}, other{};  // and where the dimensions of both sides are
  };
  [[nodiscard]] Space space_of(const Op& dot, std::size_t whole) const {
    const Type &own = type(dot.operands[whole]), &its = type(dot.operands[1 - whole]);
    const Dims common = closed(dot, 1 - whole);
    Space space;
    space.other.assign(its.shape.size(), -1);
    for (std::int64_t dim = 0; dim < own.rank(); ++dim) {
      if (dim + 1 == own.rank()) {
        for (std::int64_t free = 0; free < its.rank(); ++free) {
          if (is_in(common, free)) continue;
          space.other[static_cast<std::size_t>(free)] = std::ssize(space.shape);
          space.shape.push_back(its.shape[static_cast<std::size_t>(free)]);
        }
      }
      space.whole.push_back(std::ssize(space.shape));
      space.shape.push_back(own.shape[static_cast<std::size_t>(dim)]);
    }
    const Dims same = closed(dot, whole);
    for (std::size_t i = 0; i < common.size(); ++i)
      space.other[static_cast<std::size_t>(common[i])] =
          space.whole[static_cast<std::size_t>(same[i])];
    return space;
  }

  void sum(const Op& dot, std::size_t whole, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, dot.location);
    const Space space = space_of(dot, whole);
    std::array<ValueId, 2> sides{};
    std::array<const Dims*, 2> places{};
    for (std::size_t side = 0; side < 2; ++side) {
      places[side] = side == whole ? &space.whole : &space.other;
      sides[side] = write.spread(write.convert(dot.operands[side], ElementType::f32), *places[side],
                                 space.shape);
    }
    ValueId value = write.emit(OpKind::multiply, {sides[0], sides[1]}, Type(type(sides[0])));
    const auto place_of = [&](std::size_t side, std::int64_t dim) {
      return (*places[side])[static_cast<std::size_t>(dim)];
    };
    Dims depths, order;  // in that space; the order of what is left is the result's
    for (const std::int64_t dim : dot.integers(dot_sides[0].depths))
      depths.push_back(place_of(0, dim));
    for (const std::int64_t dim : dot.integers(dot_sides[0].batches))
      order.push_back(place_of(0, dim));
    for (std::size_t side = 0; side < 2; ++side) {
      const Dims common = closed(dot, side);
      for (std::int64_t dim = 0; dim < type(dot.operands[side]).rank(); ++dim)
        if (!is_in(common, dim)) order.push_back(place_of(side, dim));
    }
    for (std::int64_t& dim : order)
      dim -= std::ranges::count_if(depths, [&](std::int64_t gone) { return gone < dim; });
    if (!depths.empty()) value = write.sum(value, std::move(depths));
    value = write.convert(value, type(dot.results[0]).element);
    if (std::ranges::is_sorted(order)) {
      ops.back().results = dot.results;
    } else {
      ops.push_back({.kind = OpKind::transpose,
                     .operands = {value},
                     .results = dot.results,
                     .attributes = {{"permutation", {std::move(order)}}},
                     .location = dot.location});
    }
  }

  Function& function_;
};

}  // namespace

void sum_inner_products(graph::Module& module) {
  for (Function& function : module.functions) InnerProducts{function};
}

}  // namespace trainyard::compiler
