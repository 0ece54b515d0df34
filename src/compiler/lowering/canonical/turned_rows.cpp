#include "compiler/lowering/canonical/turned_rows.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/dot_sides.h"
#include "graph/builder.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// Fewer elements are turned in no time.
constexpr std::int64_t turned_elements_min = 4096;

bool is_in_order(const Dims& order) { return std::ranges::is_sorted(order); }

// The operations behind one transposition that may be done before it. A value of theirs is
// transpose(a value in the order of memory, by an order of its own).
class TurnedRows {
 public:
  TurnedRows(Function& function, const Region& region, const Op& first)
      : function_(function), region_(region), order_(order_of(first)) {
    for (const Op& op : region.ops) {
      if (op.results.size() == 1) makers_[op.results[0]] = &op;
    }
    for (const Op& op : region.ops) follow(op);
  }

  // Rows are reduced, and nothing that is not turned now would be turned behind.
  [[nodiscard]] bool pays() const { return reduces_ && others_ == 0; }
  // The region's operations in the order of memory.
  [[nodiscard]] std::vector<Op> ops() {
    std::vector<Op> all;
    for (const Op& op : region_.ops) {
      graph::Builder write(function_, all, op.location);
      if (members_.contains(op.results.empty() ? none : op.results[0])) {
        emit(op, write, all);
        continue;
      }
      if (op.kind == OpKind::transpose && moved_.contains(op.operands[0])) {
        turn_again(op, write, all);
        continue;
      }
      Op same = op;
      for (ValueId& operand : same.operands) operand = as_before(operand, write);
      all.push_back(std::move(same));
    }
    return all;
  }

 private:
  static constexpr ValueId none = ~ValueId{0};

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  static Dims order_of(const Op& turn) {
    const auto all = turn.integers("permutation");
    return {all.begin(), all.end()};
  }
  [[nodiscard]] const Op* maker(ValueId value) const {
    const auto found = makers_.find(value);
    return found == makers_.end() ? nullptr : found->second;
  }
  [[nodiscard]] bool is_spread(ValueId value) const {
    const Op* const op = maker(value);
    return op != nullptr && op->kind == OpKind::broadcast_in_dim;
  }

  // --- What may be done before ---

  void follow(const Op& op) {
    if (op.kind == OpKind::transpose && !orders_.contains(op.operands[0]) &&
        order_of(op) == order_ && type(op.results[0]).elements() >= turned_elements_min) {
      return add(op, order_);
    }
    std::set<ValueId> read(op.operands.begin(), op.operands.end());
    if (!op.regions.empty()) graph::add_read(op, read);
    const bool reads =
        std::ranges::any_of(read, [&](ValueId value) { return orders_.contains(value); });
    if (!reads) return;
    if (const std::optional<Dims> order = order_behind(op)) return add(op, *order);
    // Products read what is turned as it lies.
    const bool is_free = op.kind == OpKind::transpose || op.kind == OpKind::dot_general ||
                         std::ranges::all_of(op.operands, [&](ValueId value) {
                           const auto found = orders_.find(value);
                           return found == orders_.end() || is_in_order(found->second);
                         });
    if (!is_free || graph::is(op.kind, graph::Trait::control)) ++others_;
  }
  void add(const Op& op, Dims order) {
    orders_[op.results[0]] = std::move(order);
    members_.insert(op.results[0]);
  }

  // Of an operation's result; nothing where it stays behind.
  [[nodiscard]] std::optional<Dims> order_behind(const Op& op) {
    if (op.results.size() != 1) return std::nullopt;
    if (graph::is(op.kind, graph::Trait::elementwise)) return order_of_elements(op);
    if (op.kind == OpKind::reduce) return order_of_sums(op);
    if (only_adds_ones(op)) return order_with_ones(op);
    if (op.kind == OpKind::broadcast_in_dim) return order_of_spread(op);
    return std::nullopt;
  }
  [[nodiscard]] std::optional<Dims> order_of_elements(const Op& op) const {
    const Dims& shape = type(op.results[0]).shape;
    std::optional<Dims> order;
    for (const ValueId value : op.operands) {
      const auto found = orders_.find(value);
      if (type(value).shape != shape) return std::nullopt;
      if (found == orders_.end()) {
        if (!is_spread(value)) return std::nullopt;
        continue;
      }
      if (order && *order != found->second) return std::nullopt;
      order = found->second;
    }
    return order;
  }
  [[nodiscard]] std::optional<Dims> order_of_sums(const Op& op) {
    if (!orders_.contains(op.operands[0])) return std::nullopt;
    const Dims& before = orders_.at(op.operands[0]);
    const auto dims = op.integers("dimensions");
    const auto last = std::ssize(before) - 1;
    if (before.back() == last && is_in(dims, last)) reduces_ = true;
    Dims left;
    for (std::int64_t dim = 0; dim <= last; ++dim)
      if (!is_in(dims, dim)) left.push_back(before[static_cast<std::size_t>(dim)]);
    return ranked(left);
  }
  // 0, 1, 2 ... in the same order.
  static Dims ranked(const Dims& numbers) {
    Dims all;
    for (const std::int64_t number : numbers)
      all.push_back(std::ranges::count_if(numbers, [&](auto each) { return each < number; }));
    return all;
  }
  // Whether it adds dimensions of one element, or takes such away.
  [[nodiscard]] bool only_adds_ones(const Op& op) const {
    const bool may =
        op.kind == OpKind::reshape || (op.kind == OpKind::broadcast_in_dim &&
                                       std::ranges::is_sorted(op.integers("broadcast_dimensions")));
    return may && sizes_of(longer(op.operands[0]), op.operands[0]) ==
                      sizes_of(longer(op.results[0]), op.results[0]);
  }
  // The dimensions of more than one element.
  [[nodiscard]] Dims longer(ValueId value) const {
    Dims all;
    for (std::int64_t dim = 0; dim < type(value).rank(); ++dim)
      if (type(value).shape[static_cast<std::size_t>(dim)] != 1) all.push_back(dim);
    return all;
  }
  [[nodiscard]] Dims sizes_of(const Dims& dims, ValueId value) const {
    Dims sizes;
    for (const std::int64_t dim : dims)
      sizes.push_back(type(value).shape[static_cast<std::size_t>(dim)]);
    return sizes;
  }
  static Dims picked(const Dims& from, const Dims& dims) {
    Dims all;
    for (const std::int64_t dim : dims) all.push_back(from[static_cast<std::size_t>(dim)]);
    return all;
  }
  [[nodiscard]] std::optional<Dims> order_with_ones(const Op& op) const {
    const auto found = orders_.find(op.operands[0]);
    if (found == orders_.end()) return std::nullopt;
    const Dims before = picked(found->second, longer(op.operands[0]));
    const Dims behind = longer(op.results[0]);
    const auto rank = static_cast<std::size_t>(type(op.results[0]).rank());
    if (rank == order_.size())
      return ranked(picked(order_, behind)) == ranked(before) ? std::optional(order_)
                                                              : std::nullopt;
    Dims keys(rank);  // those of one element first
    for (std::size_t dim = 0; dim < rank; ++dim)
      keys[dim] = static_cast<std::int64_t>(dim) - static_cast<std::int64_t>(rank);
    for (std::size_t i = 0; i < behind.size(); ++i)
      keys[static_cast<std::size_t>(behind[i])] = before[i];
    return ranked(keys);
  }
  // What a norm repeats has all dimensions of the rows.
  [[nodiscard]] std::optional<Dims> order_of_spread(const Op& op) const {
    const auto found = orders_.find(op.operands[0]);
    if (found == orders_.end() || type(op.results[0]).shape.size() != order_.size())
      return std::nullopt;
    const Dims dims = longer(op.operands[0]);
    const auto all = op.integers("broadcast_dimensions");
    const Dims places = picked({all.begin(), all.end()}, dims);
    const bool is_same = ranked(picked(order_, places)) == ranked(picked(found->second, dims));
    return is_same ? std::optional(order_) : std::nullopt;
  }

  // --- In the order of memory ---

  // Of a value in the order of memory, by the value that it was.
  [[nodiscard]] Type in_memory(ValueId value) const {
    Type made = type(value);
    const Dims& order = orders_.at(value);
    for (std::size_t i = 0; i < order.size(); ++i)
      made.shape[static_cast<std::size_t>(order[i])] = type(value).shape[i];
    return made;
  }
  // A value that others read as it was.
  ValueId as_before(ValueId value, graph::Builder& write) {
    const auto found = moved_.find(value);
    if (found == moved_.end()) return value;
    return write.turned(found->second, orders_.at(value));
  }
  // A transposition of a value that was turned.
  void turn_again(const Op& op, graph::Builder& write, std::vector<Op>& all) {
    const ValueId moved = moved_.at(op.operands[0]);
    const Dims& before = orders_.at(op.operands[0]);
    Dims order;
    for (const std::int64_t dim : order_of(op))
      order.push_back(before[static_cast<std::size_t>(dim)]);
    if (is_in_order(order)) {
      static_cast<void>(write.reshape(moved, type(moved).shape));
    } else {
      static_cast<void>(write.turned(moved, std::move(order)));
    }
    all.back().results = op.results;
  }
  ValueId operand_of(ValueId value, const Dims& order, graph::Builder& write) {
    if (const auto found = moved_.find(value); found != moved_.end()) return found->second;
    const Op& spread = *maker(value);
    Dims places, shape(order.size());
    for (const std::int64_t place : spread.integers("broadcast_dimensions"))
      places.push_back(order[static_cast<std::size_t>(place)]);
    for (std::size_t i = 0; i < order.size(); ++i)
      shape[static_cast<std::size_t>(order[i])] = type(value).shape[i];
    ValueId source = spread.operands[0];
    if (!is_in_order(places)) {  // its dimensions in the order of their places
      Dims turned(places.size());
      for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = static_cast<std::int64_t>(i);
      std::ranges::sort(turned, {}, [&](auto i) { return places[static_cast<std::size_t>(i)]; });
      source = write.turned(source, std::move(turned));
      std::ranges::sort(places);
    }
    return write.spread(source, std::move(places), std::move(shape));
  }

  void emit(const Op& op, graph::Builder& write, std::vector<Op>& all) {
    const ValueId result = op.results[0];
    if (op.kind == OpKind::transpose) {
      moved_[result] = op.operands[0];
      return;
    }
    Op made = op;
    const Dims& order = orders_.at(result);
    const auto placed = [&](std::span<const std::int64_t> dims, const Dims& by) {
      Dims moved;
      for (const std::int64_t dim : dims) moved.push_back(by[static_cast<std::size_t>(dim)]);
      return moved;
    };
    if (op.kind == OpKind::reduce) {
      Dims dims = placed(op.integers("dimensions"), orders_.at(op.operands[0]));
      std::ranges::sort(dims);
      set_integers(made.attributes, "dimensions", dims);
      made.operands[0] = moved_.at(op.operands[0]);
    } else if (only_adds_ones(op)) {
      made.kind = OpKind::reshape;
      made.attributes.clear();
      made.operands[0] = moved_.at(op.operands[0]);
    } else if (op.kind == OpKind::broadcast_in_dim) {
      const Dims behind = placed(op.integers("broadcast_dimensions"), order);
      Dims places(behind.size());  // of the operand's dimensions as they lie now
      for (std::size_t i = 0; i < behind.size(); ++i)
        places[static_cast<std::size_t>(orders_.at(op.operands[0])[i])] = behind[i];
      set_integers(made.attributes, "broadcast_dimensions", places);
      made.operands[0] = moved_.at(op.operands[0]);
    } else {
      for (ValueId& operand : made.operands) operand = operand_of(operand, order, write);
    }
    made.results = {function_.add_value(in_memory(result))};
    moved_[result] = made.results[0];
    all.push_back(std::move(made));
  }

  Function& function_;
  const Region& region_;
  Dims order_;
  std::map<ValueId, const Op*> makers_;
  std::map<ValueId, Dims> orders_;
  std::set<ValueId> members_;
  std::map<ValueId, ValueId> moved_;  // in the order of memory
  bool reduces_ = false;
  int others_ = 0;  // that read a turned value and are neither products nor transpositions
};

bool is_turn_of_rows(const Function& function, const Op& op) {
  if (op.kind != OpKind::transpose) return false;
  const auto order = op.integers("permutation");
  const Type& type = function.type(op.results[0]);
  return order.size() > 2 && order.back() == std::ssize(order) - 1 && type.is_static() &&
         type.elements() >= turned_elements_min && graph::is_float(type.element);
}

void turn_behind_rows(Function& function, Region& region) {
  std::map<ValueId, std::vector<OpKind>> readers;
  std::set<ValueId> products;  // and what is computed of them, which may be computed turned
  for (Op& op : region.ops) {
    for (Region& nested : op.regions) turn_behind_rows(function, nested);
    const bool follows =
        graph::is(op.kind, graph::Trait::elementwise) &&
        std::ranges::any_of(op.operands, [&](ValueId value) { return products.contains(value); });
    if (follows || op.kind == OpKind::dot_general) products.insert(op.results[0]);
    for (const ValueId value : op.operands) readers[value].push_back(op.kind);
  }
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    const Op first = region.ops[i];
    const bool begins = is_turn_of_rows(function, first) && !products.contains(first.operands[0]) &&
                        std::ranges::all_of(readers[first.results[0]], [](OpKind kind) {
                          return graph::is(kind, graph::Trait::elementwise);
                        });
    if (!begins) continue;
    TurnedRows rows(function, region, first);
    if (rows.pays()) region.ops = rows.ops();
  }
}

}  // namespace

void turn_behind_rows(graph::Module& module) {
  for (Function& function : module.functions) turn_behind_rows(function, function.body);
}

}  // namespace trainyard::compiler
