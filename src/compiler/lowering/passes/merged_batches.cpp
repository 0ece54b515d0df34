#include "compiler/lowering/passes/merged_batches.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/lowering/passes/op_writer.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;
using Groups = std::vector<Dims>;  // of each dimension, those that it was merged from

Dims sizes_of(const Dims& shape, const Dims& dims) {
  Dims sizes;
  for (const std::int64_t dim : dims) sizes.push_back(shape[static_cast<std::size_t>(dim)]);
  return sizes;
}

// Of each dimension of `to`, the dimensions of `from` that a reshape merges into it, those of one
// element with the first that can have them. Nothing where it divides one.
std::optional<Groups> merged_from(const Dims& from, const Dims& to) {
  Groups groups;
  std::size_t at = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    Dims group;
    std::int64_t size = 1;
    const auto take = [&] {
      size *= from[at];
      group.push_back(static_cast<std::int64_t>(at++));
    };
    while (at < from.size() && (group.empty() || size < to[i])) take();
    const std::size_t others = to.size() - i - 1;
    while (at < from.size() && from[at] == 1 && from.size() - at > others) take();
    if (size != to[i] || group.empty()) return std::nullopt;
    groups.push_back(std::move(group));
  }
  return at == from.size() ? std::optional(groups) : std::nullopt;
}

// Whether the elements keep their order, so that only the shape changes.
bool only_reshapes(const Function& function, const Op& op) {
  if (op.kind == OpKind::reshape) return true;
  return op.kind == OpKind::broadcast_in_dim && function.type(op.results[0]).is_static() &&
         function.type(op.operands[0]).elements() == function.type(op.results[0]).elements() &&
         std::ranges::is_sorted(op.integers("broadcast_dimensions"));
}

// An operand as it was before its batches were merged, and what they were merged from.
struct Side {
  ValueId value;
  Dims batches{}, depths{};
  std::vector<Dims> sizes{};  // of each batch
};

class BatchSplitter {
 public:
  explicit BatchSplitter(Function& function) : function_(function) {}

  void run() {
    rewrite(function_.body);
    if (!made_.empty()) drop_unread(function_.body);
  }

 private:
  using Values = std::map<ValueId, ValueId>;

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }

  [[nodiscard]] std::optional<Side> side(ValueId operand, std::span<const std::int64_t> batches,
                                         std::span<const std::int64_t> depths) const {
    const auto found = reshaped_from_.find(operand);
    if (found == reshaped_from_.end() || !type(operand).is_static()) return std::nullopt;
    const Dims &from = type(found->second).shape, &to = type(operand).shape;
    const auto groups = merged_from(from, to);
    if (!groups || from.size() <= to.size()) return std::nullopt;
    Side made{.value = found->second};
    for (std::size_t dim = 0; dim < groups->size(); ++dim) {
      const bool is_batch = std::ranges::find(batches, std::int64_t(dim)) != batches.end();
      if (!is_batch && (*groups)[dim].size() > 1) return std::nullopt;
    }
    for (const std::int64_t dim : batches) {
      const Dims& group = (*groups)[static_cast<std::size_t>(dim)];
      made.batches.insert(made.batches.end(), group.begin(), group.end());
      made.sizes.push_back(sizes_of(from, group));
    }
    for (const std::int64_t dim : depths)
      made.depths.push_back((*groups)[static_cast<std::size_t>(dim)][0]);
    return made;
  }

  // The shape that the product of both has: batches, and what is left of each.
  [[nodiscard]] Dims result_of(const Side& left, const Side& right) const {
    Dims shape = sizes_of(type(left.value).shape, left.batches);
    for (const Side* const side : {&left, &right}) {
      const Dims& from = type(side->value).shape;
      for (std::int64_t dim = 0; dim < std::ssize(from); ++dim) {
        if (std::ranges::find(side->batches, dim) == side->batches.end() &&
            std::ranges::find(side->depths, dim) == side->depths.end())
          shape.push_back(from[static_cast<std::size_t>(dim)]);
      }
    }
    return shape;
  }

  [[nodiscard]] bool split(Op& dot, std::vector<Op>& ops) {
    if (dot.kind != OpKind::dot_general || dot.operands.size() != 2) return false;
    const auto left = side(dot.operands[0], dot.integers("lhs_batching_dimensions"),
                           dot.integers("lhs_contracting_dimensions")),
               right = side(dot.operands[1], dot.integers("rhs_batching_dimensions"),
                            dot.integers("rhs_contracting_dimensions"));
    if (!left || !right || left->sizes != right->sizes) return false;
    const std::array<std::pair<std::string_view, const Dims*>, 4> dims{{
        {"lhs_batching_dimensions", &left->batches},
        {"lhs_contracting_dimensions", &left->depths},
        {"rhs_batching_dimensions", &right->batches},
        {"rhs_contracting_dimensions", &right->depths},
    }};
    graph::Dictionary attributes = dot.attributes;
    for (graph::NamedAttribute& each : attributes) {
      for (const auto& [name, value] : dims)
        if (each.name == name) each.value = {*value};
    }
    OpWriter write(function_, ops, dot.location);
    Type result = type(dot.results[0]);
    result.shape = result_of(*left, *right);
    const ValueId made =
        write.emit(dot.kind, {left->value, right->value}, std::move(result), attributes);
    reshaped_from_[dot.results[0]] = made;
    made_.insert(made);
    ops.push_back({.kind = OpKind::reshape,
                   .operands = {made},
                   .results = dot.results,
                   .location = dot.location});
    return true;
  }

  // The product itself, where a reshape of its result has its shape.
  [[nodiscard]] std::optional<ValueId> undone(const Op& op) const {
    if (!only_reshapes(function_, op)) return std::nullopt;
    const auto found = reshaped_from_.find(op.operands[0]);
    const bool is_same = found != reshaped_from_.end() && made_.contains(found->second) &&
                         type(found->second) == type(op.results[0]);
    return is_same ? std::optional(found->second) : std::nullopt;
  }

  void rewrite(Region& region) {
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      for (ValueId& operand : op.operands) {
        if (const auto found = same_.find(operand); found != same_.end()) operand = found->second;
      }
      for (Region& nested : op.regions) rewrite(nested);
      if (only_reshapes(function_, op)) reshaped_from_[op.results[0]] = op.operands[0];
      if (const auto value = undone(op)) {
        same_[op.results[0]] = *value;
      } else if (!split(op, ops)) {
        ops.push_back(std::move(op));
      }
    }
    region.ops = std::move(ops);
  }

  // Reshapes around products that nothing reads any longer.
  void drop_unread(Region& region) {
    std::set<ValueId> read;
    collect_read(function_.body, read);
    drop_unread(region, read);
  }

  static void collect_read(const Region& region, std::set<ValueId>& read) {
    for (const Op& op : region.ops) {
      read.insert(op.operands.begin(), op.operands.end());
      for (const Region& nested : op.regions) collect_read(nested, read);
    }
  }
  void drop_unread(Region& region, const std::set<ValueId>& read) const {
    std::erase_if(region.ops, [&](const Op& op) {
      return only_reshapes(function_, op) && !read.contains(op.results[0]);
    });
    for (Op& op : region.ops)
      for (Region& nested : op.regions) drop_unread(nested, read);
  }

  Function& function_;
  Values reshaped_from_;  // what only differs in its shape
  Values same_;           // what a product replaces
  std::set<ValueId> made_;
};

}  // namespace

void split_merged_batches(graph::Module& module) {
  for (Function& function : module.functions) BatchSplitter(function).run();
}

}  // namespace trainyard::compiler
