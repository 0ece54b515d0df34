#include "compiler/lowering/loops/hoisted_products.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/dot_sides.h"
#include "graph/builder.h"
#include "graph/loop_turns.h"
#include "graph/recompute.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// With so many rows the array multiplies as fast in each turn; micro-batches, whose author bounds
// memory by them, have as many.
constexpr std::int64_t turn_rows_max = 512;
// What the products of all turns take together.
constexpr std::int64_t products_bytes_max = std::int64_t{1} << 30;

class HoistedProducts {
 public:
  explicit HoistedProducts(Function& function) : function_(function) { run(function.body); }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }

  // A product in a loop, and the operand that is a slice of a stack.
  struct Found {
    std::size_t op = 0;
    std::size_t side = 0;  // of the slice
    const Op* slice = nullptr;
    ValueId stack = 0, weights = 0;  // around the loop
  };

  void run(Region& region) {
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      for (Region& inner : region.ops[i].regions) run(inner);
      if (region.ops[i].kind != OpKind::while_) continue;
      std::vector<Op> before;
      hoist(region, region.ops[i], before);
      region.ops.insert(region.ops.begin() + static_cast<std::ptrdiff_t>(i),
                        std::make_move_iterator(before.begin()),
                        std::make_move_iterator(before.end()));
      i += before.size();
    }
  }

  void hoist(const Region& around, Op& loop, std::vector<Op>& before) {
    const std::optional<std::int64_t> turns = graph::counted_turns(loop, around);
    if (!turns) return;
    makers_.clear();
    unchanged_.clear();
    Region& body = loop.regions.at(1);
    for (const Op& op : body.ops)
      for (const ValueId value : op.results) makers_[value] = &op;
    const std::vector<ValueId>& left = body.ops.back().operands;
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      makers_[body.arguments[i]] = nullptr;
      if (left[i] == body.arguments[i]) unchanged_[body.arguments[i]] = loop.operands[i];
    }
    std::vector<Found> all;
    for (std::size_t i = 0; i < body.ops.size(); ++i) {
      if (auto found = find(body.ops[i], *turns)) {
        found->op = i;
        all.push_back(*found);
      }
    }
    for (const Found& found : all) replace(loop, found, before);
    if (all.empty()) return;
    std::vector<Op> ops;
    for (std::size_t i = 0; i < body.ops.size(); ++i) {
      if (auto made = made_.find(i); made != made_.end())
        std::ranges::move(made->second, std::back_inserter(ops));
      else
        ops.push_back(std::move(body.ops[i]));
    }
    body.ops = std::move(ops);
    made_.clear();
  }

  // The value around the loop that it is in each turn.
  [[nodiscard]] std::optional<ValueId> outside(ValueId value) const {
    if (const auto found = unchanged_.find(value); found != unchanged_.end()) return found->second;
    return makers_.contains(value) ? std::nullopt : std::optional(value);
  }

  // What takes one part of a stack along its first dimension, without that dimension.
  [[nodiscard]] const Op* slice_of_turn(ValueId value) const {
    const auto shaped = makers_.find(value);
    if (shaped == makers_.end() || shaped->second == nullptr ||
        shaped->second->kind != OpKind::reshape)
      return nullptr;
    const auto sliced = makers_.find(shaped->second->operands[0]);
    if (sliced == makers_.end() || sliced->second == nullptr ||
        sliced->second->kind != OpKind::dynamic_slice)
      return nullptr;
    Dims shape = type(sliced->second->operands[0]).shape;
    if (shape.empty()) return nullptr;
    shape.erase(shape.begin());
    return type(value).shape == shape ? sliced->second : nullptr;
  }

  [[nodiscard]] std::optional<Found> find(const Op& op, std::int64_t turns) const {
    if (op.kind != OpKind::dot_general || op.operands.size() != 2 ||
        !op.integers(dot_sides[0].batches).empty())
      return std::nullopt;
    const Type& result = type(op.results[0]);
    if (!graph::is_float(result.element)) return std::nullopt;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const Op* const slice = slice_of_turn(op.operands[side]);
      const auto weights = outside(op.operands[1 - side]);
      if (slice == nullptr || !weights) continue;
      const auto stack = outside(slice->operands[0]);
      if (!stack || type(*stack).shape[0] > 2 * turns || type(*stack).shape[0] < 2) continue;
      std::int64_t depth = 1;
      const Type& part = type(op.operands[side]);
      for (const std::int64_t dim : op.integers(dot_sides[side].depths))
        depth *= part.shape[static_cast<std::size_t>(dim)];
      const std::int64_t bytes =
          type(*stack).shape[0] * result.elements() * graph::size_in_bytes(result.element);
      if (part.elements() == 0 || part.elements() / depth >= turn_rows_max ||
          bytes > products_bytes_max)
        continue;
      return Found{.side = side, .slice = slice, .stack = *stack, .weights = *weights};
    }
    return std::nullopt;
  }

  // The products of all turns, the turn as their first dimension.
  ValueId multiplied(const Op& dot, const Found& found, std::vector<Op>& before) {
    graph::Builder write(function_, before, dot.location);
    Op all = dot;
    all.operands = {found.stack, found.weights};
    Dims stacked(dot.integers(dot_sides[found.side].depths).begin(),
                 dot.integers(dot_sides[found.side].depths).end());
    for (std::int64_t& dim : stacked) ++dim;
    const auto own = dot.integers(dot_sides[1 - found.side].depths);
    set_integers(all.attributes, dot_sides[1].depths, Dims(own.begin(), own.end()));
    set_integers(all.attributes, dot_sides[0].depths, stacked);
    const Dims& result = type(dot.results[0]).shape;
    // The rows of a turn, then what the weights add.
    const auto rows =
        static_cast<std::int64_t>(type(found.stack).shape.size() - stacked.size()) - 1;
    const auto others = std::ssize(result) - rows;
    const std::int64_t first = found.side == 0 ? 0 : others;
    Dims shape{type(found.stack).shape[0]}, order{0};
    for (std::int64_t i = 0; i < std::ssize(result); ++i) {
      const std::int64_t from = i < rows ? first + i : (found.side == 0 ? rows : 0) + i - rows;
      shape.push_back(result[static_cast<std::size_t>(from)]);
    }
    for (std::int64_t i = 0; i < std::ssize(result); ++i)
      order.push_back(1 + (found.side == 0 ? i : i < others ? rows + i : i - others));
    const ValueId made =
        function_.add_value({.element = type(dot.results[0]).element, .shape = shape});
    all.results = {made};
    before.push_back(std::move(all));
    return write.turned(made, order);
  }

  void replace(Op& loop, const Found& found, std::vector<Op>& before) {
    Region& body = loop.regions.at(1);
    const Op& dot = body.ops[found.op];
    const ValueId products = multiplied(dot, found, before);
    std::vector<Op>& ops = made_[found.op];
    graph::Builder write(function_, ops, dot.location);
    Dims sizes = type(products).shape;
    sizes[0] = 1;
    std::vector<ValueId> operands{carried(loop, products), found.slice->operands[1]};
    const Type index = type(operands[1]);
    for (std::size_t i = 1; i < sizes.size(); ++i) operands.push_back(write.number(Type(index), 0));
    const ValueId part =
        write.emit(OpKind::dynamic_slice, std::move(operands),
                   {.element = type(products).element, .shape = sizes}, {{"slice_sizes", {sizes}}});
    ops.push_back({.kind = OpKind::reshape,
                   .operands = {part},
                   .results = dot.results,
                   .location = dot.location});
  }

  // The value as one that the loop hands on.
  ValueId carried(Op& loop, ValueId value) {
    const auto fresh = [&] { return function_.add_value(type(value)); };
    loop.operands.push_back(value);
    loop.results.push_back(fresh());
    for (Region& region : loop.regions) region.arguments.push_back(fresh());
    const ValueId inside = loop.regions.at(1).arguments.back();
    loop.regions.at(1).ops.back().operands.push_back(inside);
    return inside;
  }

  Function& function_;
  std::map<ValueId, const Op*> makers_;   // in the loop's body; null: its arguments
  std::map<ValueId, ValueId> unchanged_;  // of these, what the loop is given
  std::map<std::size_t, std::vector<Op>> made_;
};

}  // namespace

void multiply_before_loops(graph::Module& module) {
  for (Function& function : module.functions) HoistedProducts{function};
}

}  // namespace trainyard::compiler
