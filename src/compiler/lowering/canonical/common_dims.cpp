#include "compiler/lowering/canonical/common_dims.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/literal.h"
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

// How many elements lie behind each place where a shape has a border between dimensions.
void add_borders(const Dims& shape, std::set<std::int64_t>& borders) {
  std::int64_t behind = 1;
  for (std::size_t i = shape.size(); i-- > 0;) borders.insert(behind *= shape[i]);
}

// The dimensions with all of these borders; nothing where they cross.
std::optional<Dims> shape_of(const std::set<std::int64_t>& borders) {
  Dims shape;
  std::int64_t behind = 1;
  for (const std::int64_t border : borders) {
    if (border % behind != 0) return std::nullopt;
    if (border > behind) shape.push_back(border / behind);
    behind = border;
  }
  std::ranges::reverse(shape);
  return shape;
}

// Of each dimension of a shape those of the finer one that it is made of.
std::vector<Dims> parts_of(const Dims& shape, const Dims& fine) {
  std::vector<Dims> parts;
  std::int64_t next = 0;
  for (const std::int64_t size : shape) {
    Dims& part = parts.emplace_back();
    for (std::int64_t left = size; left > 1; ++next) {
      part.push_back(next);
      left /= fine[static_cast<std::size_t>(next)];
    }
  }
  return parts;
}

// The values of one region that elementwise operations and reshapes connect.
class Classes {
 public:
  Classes(const Function& function, const Region& region) : function_(function) {
    for (const Op& op : region.ops) join(op);
    for (const auto& [value, parent] : parents_) {
      Dims shape = function.type(value).shape;
      add_borders(shape, borders_[root(value)]);
      std::erase(shape, 1);
      shapes_[root(value)].insert(std::move(shape));
    }
    for (const auto& [value, borders] : borders_) {
      if (shapes_[value].size() < 2) continue;
      if (auto shape = shape_of(borders)) fine_[value] = *std::move(shape);
    }
    for (const Op& op : region.ops) look(op);
    std::erase_if(fine_, [&](const auto& each) { return !is_read_apart(each.first); });
  }

  [[nodiscard]] bool any() const { return !fine_.empty(); }
  // The shape that the value's class has in common; null where it keeps its own.
  [[nodiscard]] const Dims* fine(ValueId value) const {
    if (!parents_.contains(value)) return nullptr;
    const auto found = fine_.find(root(value));
    return found == fine_.end() ? nullptr : &found->second;
  }

  // Of one shape, or with single numbers.
  [[nodiscard]] static bool is_elementwise(const Function& function, const Op& op) {
    return graph::is(op.kind, graph::Trait::elementwise) &&
           std::ranges::all_of(op.operands, [&](ValueId value) {
             const Dims& shape = function.type(value).shape;
             return shape.empty() || shape == function.type(op.results[0]).shape;
           });
  }
  // Whether only the shape changes.
  [[nodiscard]] static bool reshapes(const Function& function, const Op& op) {
    if (op.kind == OpKind::reshape) return true;
    return op.kind == OpKind::broadcast_in_dim &&
           function.type(op.operands[0]).elements() == function.type(op.results[0]).elements() &&
           std::ranges::is_sorted(op.integers("broadcast_dimensions"));
  }
  // Of a broadcast, the dimensions of the common shape that its operand has.
  [[nodiscard]] static Dims kept_by_spread(const Function& function, const Op& op,
                                           const Dims& fine) {
    const std::vector<Dims> parts = parts_of(function.type(op.results[0]).shape, fine);
    const auto places = op.integers("broadcast_dimensions");
    Dims kept;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (function.type(op.operands[0]).shape[i] == 1) continue;
      const Dims& part = parts[static_cast<std::size_t>(places[i])];
      kept.insert(kept.end(), part.begin(), part.end());
    }
    return kept;
  }
  // Of a reduction, those that it reduces.
  [[nodiscard]] static Dims reduced(const Function& function, const Op& op, const Dims& fine) {
    const std::vector<Dims> parts = parts_of(function.type(op.operands[0]).shape, fine);
    Dims all;
    for (const std::int64_t dim : op.integers("dimensions")) {
      const Dims& part = parts[static_cast<std::size_t>(dim)];
      all.insert(all.end(), part.begin(), part.end());
    }
    std::ranges::sort(all);
    return all;
  }

 private:
  [[nodiscard]] bool is_joined(ValueId value) const {
    const Type& type = function_.type(value);
    return type.kind == Type::Kind::tensor && type.is_static() && type.elements() > 1;
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
  void join(const Op& op) {
    if (op.results.size() != 1 || !is_joined(op.results[0])) return;
    if (!is_elementwise(function_, op) && !reshapes(function_, op)) return;
    for (const ValueId value : op.operands) {
      if (is_joined(value)) unite(value, op.results[0]);
    }
  }

  void look(const Op& op) {
    if (op.results.size() != 1) return;
    if (op.kind == OpKind::broadcast_in_dim) {
      const Dims* const fine = this->fine(op.results[0]);
      if (fine != nullptr)
        apart_[root(op.results[0])].push_back(kept_by_spread(function_, op, *fine));
    } else if (op.kind == OpKind::reduce) {
      const Dims* const fine = this->fine(op.operands[0]);
      if (fine != nullptr) look_at_reduction(op, *fine);
    }
  }
  // A row is the last dimensions that are all reduced.
  void look_at_reduction(const Op& op, const Dims& fine) {
    const ValueId value = root(op.operands[0]);
    const Dims all = reduced(function_, op, fine);
    Dims kept;
    for (std::int64_t dim = 0; dim < std::ssize(fine); ++dim) {
      if (std::ranges::find(all, dim) == all.end()) kept.push_back(dim);
    }
    apart_[value].push_back(kept);
    const std::vector<Dims> parts = parts_of(function_.type(op.operands[0]).shape, fine);
    const auto dims = op.integers("dimensions");
    Dims& row = rows_[value].emplace_back();
    for (std::size_t dim = parts.size(); dim-- > 0;) {
      const bool is_reduced = std::ranges::find(dims, static_cast<std::int64_t>(dim)) != dims.end();
      if (!is_reduced && !parts[dim].empty()) break;
      row.insert(row.end(), parts[dim].begin(), parts[dim].end());
    }
  }
  // Whether rows begin within a dimension of another shape.
  [[nodiscard]] bool is_hidden(ValueId root, const Dims& row) const {
    std::int64_t columns = 1;
    for (const std::int64_t dim : row) columns *= fine_.at(root)[static_cast<std::size_t>(dim)];
    return std::ranges::any_of(shapes_.at(root), [&](const Dims& shape) {
      std::set<std::int64_t> borders;
      add_borders(shape, borders);
      return !borders.contains(columns);
    });
  }
  // Whether another operation reads apart what is one row.
  [[nodiscard]] bool is_read_apart(ValueId root) const {
    const auto rows = rows_.find(root);
    const auto apart = apart_.find(root);
    if (rows == rows_.end() || apart == apart_.end()) return false;
    return std::ranges::any_of(rows->second, [&](const Dims& parts) {
      return is_hidden(root, parts) && std::ranges::any_of(apart->second, [&](const Dims& kept) {
               const auto count = std::ranges::count_if(parts, [&](std::int64_t dim) {
                 return std::ranges::find(kept, dim) != kept.end();
               });
               return count > 0 && count < std::ssize(parts);
             });
    });
  }

  const Function& function_;
  mutable std::map<ValueId, ValueId> parents_;  // ways to roots get shorter as they are gone
  // By root.
  std::map<ValueId, std::set<Dims>> shapes_;  // without dimensions of one element
  std::map<ValueId, std::set<std::int64_t>> borders_;
  std::map<ValueId, Dims> fine_;
  std::map<ValueId, std::vector<Dims>> apart_;  // dimensions that operations read
  std::map<ValueId, std::vector<Dims>> rows_;   // dimensions of rows
};

class Sharer {
 public:
  Sharer(Function& function, const Classes& classes) : function_(function), classes_(classes) {}

  void run(Region& region) {
    for (const Op& op : std::exchange(region.ops, {})) {
      if (!share(op, region.ops)) region.ops.push_back(op);
    }
  }

 private:
  [[nodiscard]] const Dims& shape(ValueId value) const { return function_.type(value).shape; }

  // The value in the shape of its class.
  [[nodiscard]] ValueId fine(ValueId value, graph::Builder& write) {
    const auto [found, is_new] = fine_.try_emplace(value);
    if (is_new) found->second = write.reshape(value, *classes_.fine(value));
    return found->second;
  }
  // The value has been computed as `made`: what reads its own shape gets that.
  void define(ValueId value, ValueId made, std::vector<Op>& ops, graph::LocationId location) {
    fine_[value] = made;
    ops.push_back(
        {.kind = OpKind::reshape, .operands = {made}, .results = {value}, .location = location});
  }

  [[nodiscard]] bool share(const Op& op, std::vector<Op>& ops) {
    if (op.results.size() != 1) return false;
    graph::Builder write(function_, ops, op.location);
    if (op.kind == OpKind::reduce) {
      if (classes_.fine(op.operands[0]) == nullptr || op.operands.size() != 2) return false;
      reduce(op, write, ops);
      return true;
    }
    const ValueId result = op.results[0];
    if (classes_.fine(result) == nullptr) return false;
    const Type type{.element = function_.type(result).element, .shape = *classes_.fine(result)};
    if (op.kind == OpKind::constant && one_number(op.literal("value"))) {
      define(result, write.number(type, *one_number(op.literal("value"))), ops, op.location);
    } else if (Classes::is_elementwise(function_, op)) {
      std::vector<ValueId> operands = op.operands;
      for (ValueId& value : operands) {
        if (shape(value) == shape(result)) value = fine(value, write);
      }
      define(result, write.emit(op.kind, operands, type, op.attributes), ops, op.location);
    } else if (Classes::reshapes(function_, op)) {
      if (classes_.fine(op.operands[0]) == nullptr) return false;
      define(result, fine(op.operands[0], write), ops, op.location);
    } else if (op.kind == OpKind::broadcast_in_dim) {
      spread(op, type, write, ops);
    } else {
      return false;
    }
    return true;
  }

  void spread(const Op& op, const Type& type, graph::Builder& write, std::vector<Op>& ops) {
    const Dims places = Classes::kept_by_spread(function_, op, type.shape);
    Dims kept;
    for (const std::int64_t dim : places) kept.push_back(type.shape[static_cast<std::size_t>(dim)]);
    const ValueId from = op.operands[0];
    const ValueId made = kept == shape(from) ? from : write.reshape(from, kept);
    define(op.results[0], write.spread(made, places, type.shape), ops, op.location);
  }

  void reduce(const Op& op, graph::Builder& write, std::vector<Op>& ops) {
    const Dims& all = *classes_.fine(op.operands[0]);
    const Dims dims = Classes::reduced(function_, op, all);
    Type type{.element = function_.type(op.results[0]).element, .shape = {}};
    for (std::int64_t dim = 0; dim < std::ssize(all); ++dim) {
      if (std::ranges::find(dims, dim) == dims.end())
        type.shape.push_back(all[static_cast<std::size_t>(dim)]);
    }
    Op made = op;
    made.operands[0] = fine(op.operands[0], write);
    made.results[0] = function_.add_value(std::move(type));
    made.set("dimensions", {dims});
    const ValueId result = made.results[0];
    ops.push_back(std::move(made));
    ops.push_back({.kind = OpKind::reshape,
                   .operands = {result},
                   .results = op.results,
                   .location = op.location});
  }

  Function& function_;
  const Classes& classes_;
  std::map<ValueId, ValueId> fine_;
};

bool share_in(Function& function, Region& region) {
  bool changed = false;
  for (Op& op : region.ops) {
    if (!graph::is(op.kind, graph::Trait::control)) continue;
    for (Region& nested : op.regions) changed |= share_in(function, nested);
  }
  const Classes classes(function, region);
  if (!classes.any()) return changed;
  Sharer(function, classes).run(region);
  return true;
}

}  // namespace

void share_dims(graph::Module& module) {
  for (Function& function : module.functions) {
    if (share_in(function, function.body)) graph::drop_unread(function.body);
  }
}

}  // namespace trainyard::compiler
