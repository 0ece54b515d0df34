#include "compiler/lowering/clusters/long_rows.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/literal.h"
#include "compiler/lowering/tiles/reductions.h"
#include "compiler/lowering/values/layout.h"
#include "graph/builder.h"
#include "graph/reads.h"
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

// Times are in columns that a lane passes over, about a nanosecond each.
constexpr std::int64_t gain_min = 500;  // less is not worth it
// To bring a value that lies on chip from one shape to the other, by way of HBM: for itself, and
// for so many elements.
constexpr std::int64_t border_columns = 2000, border_elements = 100;
// To bring a number for each row to its pieces, or from them. Rows of which a partition holds three
// are otherwise one pass over memory, with their sums; longer ones several.
constexpr std::int64_t short_row_columns = 8000, long_row_columns = 4000;
// So many pass over values at the same time.
constexpr std::int64_t engines = 3;
// Shorter pieces make poor transfers, and gain little.
constexpr std::int64_t piece_min = 8;

// The values of one region that elementwise operations connect, of which the last dimension is cut
// into pieces.
class Classes {
 public:
  // `body_of`: the loop whose body the region is. `zeros`: constants.
  Classes(const Function& function, const Region& region, const Op* body_of,
          const std::set<ValueId>& zeros, const machine::Sbuf& sbuf)
      : function_(function),
        zeros_(zeros),
        partitions_(sbuf.partitions),
        row_bytes_(sbuf.usable().value / 3) {
    const bool is_function = &region == &function.body;
    for (const Op& op : region.ops) {
      if (is_member(op)) unite_all(op);
    }
    if (body_of != nullptr) find_states(region, *body_of);
    std::map<ValueId, std::int64_t> saved;  // columns, by root
    for (const Op& op : region.ops) {
      const bool is_reduced = reduces_rows(op) && parents_.contains(op.operands[0]);
      if (!is_member(op) && !is_reduced) continue;
      const ValueId value = is_reduced ? op.operands[0] : op.results[0];
      saved[root(value)] += gain(function_.type(value).shape);
    }
    count_borders(region, is_function);
    for (const auto& [value, columns] : saved)
      if (columns / engines > gain_min + borders_[value] && !is_walked(value) &&
          !is_summed_as_it_is(value))
        spread_.insert(value);
  }

  [[nodiscard]] bool any() const { return !spread_.empty(); }
  [[nodiscard]] bool is_spread(ValueId value) const {
    return parents_.contains(value) && spread_.contains(root(value));
  }
  // An operation whose result and operands are.
  [[nodiscard]] bool is_spread(const Op& op) const {
    return is_member(op) && is_spread(op.results[0]);
  }
  // A reduction of whole rows that are, which is one of all pieces.
  [[nodiscard]] bool is_spread_reduction(const Op& op) const {
    return reduces_rows(op) && is_spread(op.operands[0]);
  }
  // States of the loop that it hands on in the other shape.
  [[nodiscard]] bool is_state(std::size_t i) const { return states_.contains(i); }
  [[nodiscard]] Dims shape(ValueId value) const {
    Dims cut = function_.type(value).shape;
    const std::int64_t pieces = pieces_of(cut), columns = cut.back();
    cut.back() = pieces;
    cut.push_back(columns / pieces);
    return cut;
  }

 private:
  // In how many pieces each row of a value lies: on as many partitions as there are.
  [[nodiscard]] std::int64_t pieces_of(const Dims& shape) const {
    std::int64_t rows = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= shape[i];
    if (rows < 1 || 2 * rows > partitions_) return 1;
    std::int64_t pieces = std::min(partitions_ / rows, shape.back() / piece_min);
    while (pieces > 1 && shape.back() % pieces != 0) --pieces;
    return std::max<std::int64_t>(pieces, 1);
  }
  // How much sooner an engine has passed over a value.
  [[nodiscard]] std::int64_t gain(const Dims& shape) const {
    const std::int64_t columns = shape.back(), pieces = pieces_of(shape);
    return passing(1, columns, partitions_) - passing(1, columns / pieces, partitions_);
  }
  [[nodiscard]] bool may_be_spread(ValueId value) const {
    const Type& type = function_.type(value);
    return type.kind == Type::Kind::tensor && type.is_static() && !type.shape.empty() &&
           pieces_of(type.shape) > 1;
  }
  [[nodiscard]] bool is_member(const Op& op) const {
    return op.results.size() == 1 && !op.operands.empty() && may_be_spread(op.results[0]) &&
           lowers_elementwise(op, function_);
  }

  // Whether a walk over all elements of a large value, which nobody sums by row, is as good.
  [[nodiscard]] bool is_walked(ValueId root) const {
    return !has_rows_.contains(root) &&
           function_.type(root).elements() > partitions_ * tile_columns;
  }
  // Whether rows are only summed, and a row may lie in half of the partitions: the array adds what
  // these have in one pass over memory (rows/row_stacks.h).
  [[nodiscard]] bool is_summed_as_it_is(ValueId root) const {
    const std::int64_t columns = function_.type(root).shape.back(), pieces = partitions_ / 2;
    return summed_.contains(root) && !chosen_.contains(root) && columns % pieces == 0 &&
           columns / pieces <= tile_columns;
  }
  // One that may go in two steps, with nothing rounded between them, and what it begins with
  // counted once.
  [[nodiscard]] bool reduces_rows(const Op& op) const {
    if (op.kind != OpKind::reduce || op.operands.size() != 2) return false;
    const graph::ElementType element = function_.type(op.results[0]).element;
    const auto how = reduction_of(op.regions.at(0), element);
    const bool chooses = how == numerics::AluOp::maximum || how == numerics::AluOp::minimum;
    const bool adds = how == numerics::AluOp::add && element == graph::ElementType::f32 &&
                      zeros_.contains(op.operands[1]);
    if (!chooses && !adds) return false;
    const std::int64_t last = function_.type(op.operands[0]).rank() - 1;
    return std::ranges::find(op.integers("dimensions"), last) != op.integers("dimensions").end();
  }

  [[nodiscard]] ValueId root(ValueId value) const {
    for (ValueId* parent = &parents_.at(value); *parent != value; parent = &parents_.at(value))
      value = *parent = parents_.at(*parent);
    return value;
  }
  void unite(ValueId a, ValueId b) {
    parents_.try_emplace(a, a);
    parents_.try_emplace(b, b);
    parents_[root(a)] = root(b);
  }
  void unite_all(const Op& op) {
    for (const ValueId value : op.operands) unite(value, op.results[0]);
  }

  // What a turn hands on to the next one is of the same class, if the condition does not read it.
  void find_states(const Region& body, const Op& loop) {
    std::set<ValueId> decides;
    for (const Op& op : loop.regions.at(0).ops) graph::add_read(op, decides);
    const std::vector<ValueId>& left = body.ops.back().operands;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const ValueId entered = body.arguments[i];
      if (decides.contains(loop.regions[0].arguments[i]) || !parents_.contains(entered) ||
          !parents_.contains(left[i]))
        continue;
      unite(entered, left[i]);
      states_.insert(i);
    }
  }

  // What it costs that others make or read values in their own shape, or one number for a row. In
  // HBM either shape is a view.
  void count_borders(const Region& region, bool is_function) {
    std::set<ValueId> others, rows;
    if (!is_function) others.insert(region.arguments.begin(), region.arguments.end());
    for (const Op& op : region.ops) {
      if (is_member(op)) continue;
      if (!is_view(op))
        (repeats_rows(op) ? rows : others).insert(op.results.begin(), op.results.end());
      if (is_view(op) || op.kind == OpKind::dynamic_update_slice ||
          (op.kind == OpKind::return_ && is_function))
        continue;
      const bool reduces = reduces_rows(op);
      if (reduces && parents_.contains(op.operands[0]))
        (zeros_.contains(op.operands[1]) ? summed_ : chosen_).insert(root(op.operands[0]));
      (reduces ? rows : others).merge(graph::values_read(op));
    }
    for (const std::size_t i : states_) {
      others.erase(region.arguments[i]);
      others.erase(region.ops.back().operands[i]);
    }
    for (const auto& [value, parent] : parents_) {
      const Type& type = function_.type(value);
      if (others.contains(value))
        borders_[root(value)] += border_columns + type.elements() / border_elements;
      if (!rows.contains(value)) continue;
      const bool is_long = type.shape.back() * std::int64_t{sizeof(float)} > row_bytes_;
      borders_[root(value)] += is_long ? long_row_columns : short_row_columns;
      has_rows_.insert(root(value));
    }
  }
  // A number for each row.
  [[nodiscard]] bool repeats_rows(const Op& op) const {
    if (op.kind != OpKind::broadcast_in_dim) return false;
    const auto places = op.integers("broadcast_dimensions");
    const std::int64_t last = function_.type(op.results[0]).rank() - 1;
    return places.empty() || places.back() != last ||
           function_.type(op.operands[0]).shape.back() == 1;
  }
  [[nodiscard]] bool is_view(const Op& op) const {
    if (op.kind == OpKind::broadcast_in_dim) {
      const Type &from = function_.type(op.operands[0]), &to = function_.type(op.results[0]);
      return from.shape.empty() || (to.is_static() && from.elements() == to.elements());
    }
    return op.kind == OpKind::constant || op.kind == OpKind::reshape || op.kind == OpKind::slice ||
           op.kind == OpKind::dynamic_slice;
  }

  const Function& function_;
  const std::set<ValueId>& zeros_;
  std::int64_t partitions_, row_bytes_;
  mutable std::map<ValueId, ValueId> parents_;  // ways to roots get shorter as they are gone
  std::map<ValueId, std::int64_t> borders_;     // by root
  std::set<ValueId> has_rows_;                  // roots of values that are reduced by row
  std::set<ValueId> summed_, chosen_;           // of these, by sums, or by largest elements
  std::set<ValueId> spread_;                    // roots
  std::set<std::size_t> states_;
};

Dims first_dims(std::int64_t count) {
  Dims dims;
  for (std::int64_t dim = 0; dim < count; ++dim) dims.push_back(dim);
  return dims;
}

class Spreader {
 public:
  Spreader(Function& function, const machine::Sbuf& sbuf) : function_(function), sbuf_(sbuf) {
    find_zeros(function.body);
  }

  bool run() { return run(function_.body, nullptr); }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
  void find_zeros(const Region& region) {
    for (const Op& op : region.ops) {
      if (op.kind == OpKind::constant && one_number(op.literal("value")) == 0)
        zeros_.insert(op.results[0]);
      for (const Region& inner : op.regions) find_zeros(inner);
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
  bool run(Region& region, Op* body_of) {
    bool changed = false;
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      std::vector<Op> behind;
      if (graph::is(op.kind, graph::Trait::control)) {
        for (Region& inner : op.regions) {
          const bool is_body = op.kind == OpKind::while_ && &inner == &op.regions[1];
          if (!is_body) {
            changed |= run(inner, nullptr);
          } else {
            changed |= run(inner, &op);
            hand_on(op, ops, behind);
          }
        }
      }
      ops.push_back(std::move(op));
      std::ranges::move(behind, std::back_inserter(ops));
    }
    region.ops = std::move(ops);
    const Classes classes(function_, region, body_of, zeros_, sbuf_);
    if (!classes.any()) return changed;
    rewrite(region, classes, body_of);
    return true;
  }

  [[nodiscard]] Type cut_type(ValueId value, const Classes& classes) const {
    return {.element = function_.type(value).element, .shape = classes.shape(value)};
  }

  void rewrite(Region& region, const Classes& classes, Op* body_of) {
    std::map<ValueId, ValueId> cut;
    std::vector<Op> ops;
    const auto of = [&](ValueId value, graph::LocationId location) {
      const auto [found, is_new] = cut.try_emplace(value);
      if (is_new)
        found->second =
            graph::Builder(function_, ops, location).reshape(value, classes.shape(value));
      return found->second;
    };
    const auto define = [&](ValueId value, ValueId made, graph::LocationId location) {
      cut[value] = made;
      ops.push_back(
          {.kind = OpKind::reshape, .operands = {made}, .results = {value}, .location = location});
    };
    if (body_of != nullptr) {
      for (std::size_t i = 0; i < region.arguments.size(); ++i) {
        if (!classes.is_state(i) || !classes.is_spread(region.arguments[i])) continue;
        const ValueId before = region.arguments[i];
        region.arguments[i] = function_.add_value(cut_type(before, classes));
        body_of->regions[0].arguments[i] = function_.add_value(cut_type(before, classes));
        define(before, region.arguments[i], body_of->location);
      }
    }
    for (Op& op : region.ops) {
      if (op.kind == OpKind::return_ && body_of != nullptr) {
        for (std::size_t i = 0; i < op.operands.size(); ++i)
          if (classes.is_state(i) && classes.is_spread(op.operands[i]))
            op.operands[i] = of(op.operands[i], op.location);
      }
      if (classes.is_spread_reduction(op)) {
        op.operands[0] = reduced(op, of(op.operands[0], op.location), ops);
      }
      if (op.kind == OpKind::broadcast_in_dim && classes.is_spread(op.results[0])) {
        const ValueId value = op.results[0];
        define(value, repeated(op, classes.shape(value), ops), op.location);
        continue;
      }
      if (!classes.is_spread(op)) {
        ops.push_back(std::move(op));
        continue;
      }
      const ValueId result = op.results[0];
      for (ValueId& value : op.operands) value = of(value, op.location);
      op.results = {function_.add_value(cut_type(result, classes))};
      ops.push_back(std::move(op));
      define(result, ops.back().results[0], ops.back().location);
    }
    region.ops = std::move(ops);
  }

  // A reduction of the pieces, each by itself; the operation reduces what these leave.
  ValueId reduced(const Op& op, ValueId value, std::vector<Op>& ops) {
    Type type = function_.type(value);
    const std::int64_t last = type.rank() - 1;
    type.shape.pop_back();
    graph::Renamed names;
    Op pieces = graph::copy_of(op, names, function_);
    pieces.operands[0] = value;
    pieces.results = {function_.add_value(std::move(type))};
    pieces.set("dimensions", {Dims{last}});
    ops.push_back(std::move(pieces));
    return ops.back().results[0];
  }

  // What a broadcast repeats, repeated to that shape, which has one dimension more.
  ValueId repeated(const Op& op, const Dims& shape, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    const auto of = op.integers("broadcast_dimensions");
    Dims places(of.begin(), of.end());
    ValueId value = op.operands[0];
    Dims from = function_.type(value).shape;
    const auto last = std::ssize(shape) - 2;
    const auto at = std::ranges::find(places, last);
    if (at != places.end()) {
      const auto i = at - places.begin();
      const bool repeats = from[static_cast<std::size_t>(i)] == 1;
      from[static_cast<std::size_t>(i)] = repeats ? 1 : shape[static_cast<std::size_t>(last)];
      from.insert(from.begin() + i + 1, repeats ? 1 : shape.back());
      places.insert(places.begin() + i + 1, last + 1);
      value = write.reshape(value, from);
    }
    // A number for each row is one for each piece of it.
    if (places.empty() || places.back() < last)
      return write.spread(write.spread(value, places, {shape.begin(), shape.end() - 1}),
                          first_dims(last + 1), shape);
    return write.spread(value, std::move(places), shape);
  }

  // The loop takes and gives the states in the shape of its body.
  void hand_on(Op& loop, std::vector<Op>& before, std::vector<Op>& behind) {
    graph::Builder write(function_, before, loop.location);
    for (std::size_t i = 0; i < loop.operands.size(); ++i) {
      const Type& inside = function_.type(loop.regions[1].arguments[i]);
      if (inside == function_.type(loop.operands[i])) continue;
      loop.operands[i] = write.reshape(loop.operands[i], inside.shape);
      const ValueId result = loop.results[i];
      loop.results[i] = function_.add_value(Type(inside));
      behind.push_back({.kind = OpKind::reshape,
                        .operands = {loop.results[i]},
                        .results = {result},
                        .location = loop.location});
    }
  }

  Function& function_;
  const machine::Sbuf& sbuf_;
  std::set<ValueId> zeros_;
};

}  // namespace

void spread_long_rows(graph::Module& module, const machine::Core& core) {
  for (Function& function : module.functions) {
    if (Spreader(function, core.sbuf).run()) graph::drop_unread(function.body);
  }
}

}  // namespace trainyard::compiler
