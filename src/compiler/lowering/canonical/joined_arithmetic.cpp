#include "compiler/lowering/canonical/joined_arithmetic.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/builder.h"
#include "graph/reads.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// Fewer parts, or larger ones, are well computed apart.
constexpr std::size_t apart_max = 3;
constexpr std::int64_t part_elements_max = 32'768;
// Shorter runs of elements are turned in one, not put where they belong part by part.
constexpr std::int64_t scattered_run = 16;
constexpr std::size_t turned_parts_min = 18;  // fewer are put there sooner

class JoinedArithmetic {
 public:
  explicit JoinedArithmetic(Function& function)
      : function_(function),
        before_(function),
        definitions_(before_),
        readers_(graph::count_operands(function.body)) {}

  void run() {
    bool any = false;
    graph::replace_each(function_.body, [&](const Op& op, std::vector<Op>& ops) {
      if (op.kind != OpKind::concatenate || !function_.type(op.results[0]).is_static())
        return false;
      graph::Builder write(function_, ops, op.location);
      const std::int64_t dim = op.integer("dimension");
      Dims part = shape(op.operands[0]), order;
      const bool is_scattered = scatters(part, dim);
      if (is_scattered && op.operands.size() < turned_parts_min) return false;
      if (is_scattered) std::rotate(part.begin(), part.begin() + dim, part.begin() + dim + 1);
      const auto made = joined(op.operands, part, is_scattered ? 0 : dim, write);
      if (!made) return false;
      for (std::int64_t i = 0; i < std::ssize(part); ++i)
        order.push_back(!is_scattered || i > dim ? i : i == dim ? 0 : i + 1);
      ops.push_back({.kind = OpKind::reshape,
                     .operands = {write.turned(*made, std::move(order))},
                     .results = op.results,
                     .location = op.location});
      return any = true;
    });
    if (any) graph::drop_unread(function_.body);
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Dims& shape(ValueId value) const { return type(value).shape; }
  [[nodiscard]] bool is_read_once(ValueId value) const {
    const auto found = readers_.find(value);
    return found != readers_.end() && found->second == 1;
  }

  // What changes the shape alone, where nobody else reads that.
  [[nodiscard]] const Op* shaped(ValueId value) const {
    const Op* const op = definitions_.of(value);
    if (op == nullptr) return nullptr;
    const bool is_shape = op->kind == OpKind::reshape ||
                          (op->kind == OpKind::broadcast_in_dim &&
                           type(op->operands[0]).elements() == type(value).elements() &&
                           std::ranges::is_sorted(op->integers("broadcast_dimensions")));
    return is_shape ? op : nullptr;
  }
  [[nodiscard]] ValueId unshaped(ValueId value) const {
    const Op* op = shaped(value);
    for (; op != nullptr; op = shaped(value)) value = op->operands[0];
    return value;
  }

  // The join of parts along a dimension, made of fewer operations; nothing where it cannot be.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the expressions that are joined
  std::optional<ValueId> joined(const std::vector<ValueId>& parts, const Dims& part,
                                std::int64_t dim, graph::Builder& write) {
    const Type first = type(parts.front());
    if (parts.size() <= apart_max || first.elements() > part_elements_max ||
        first.elements() == 0 ||
        std::ranges::any_of(parts, [&](ValueId each) { return type(each) != first; }))
      return std::nullopt;
    if (const auto whole = slices(parts, part, dim, write)) return whole;
    std::vector<const Op*> makers;
    for (const ValueId each : parts) {
      const ValueId made = unshaped(each);
      const Op* const op = definitions_.of(made);
      if (op == nullptr || !is_same(*op, makers.empty() ? *op : *makers.front()) ||
          !is_read_once(made) || !is_read_once(each) || follows_product(*op))
        return std::nullopt;
      makers.push_back(op);
    }
    return applied(makers, part, dim, write);
  }

  // Such arithmetic is done as the product leaves the array.
  [[nodiscard]] bool follows_product(const Op& op) const {
    return std::ranges::any_of(op.operands, [&](ValueId value) {
      const Op* const maker = definitions_.of(unshaped(value));
      return maker != nullptr &&
             (graph::is(maker->kind, graph::Trait::product) || maker->kind == OpKind::convolution);
    });
  }

  [[nodiscard]] bool is_same(const Op& a, const Op& b) const {
    return a.kind == b.kind && graph::is(a.kind, graph::Trait::elementwise) &&
           a.results.size() == 1 && a.attributes == b.attributes && a.regions.empty() &&
           type(a.results[0]) == type(b.results[0]) &&
           std::ranges::equal(a.operands, b.operands, [&](ValueId x, ValueId y) {
             return type(x).element == type(y).element && shape(x) == shape(y);
           });
  }

  // NOLINTNEXTLINE(misc-no-recursion): likewise
  std::optional<ValueId> applied(const std::vector<const Op*>& makers, const Dims& part,
                                 std::int64_t dim, graph::Builder& write) {
    const Op& first = *makers.front();
    Dims whole = part;
    whole[static_cast<std::size_t>(dim)] *= static_cast<std::int64_t>(makers.size());
    // Each is one number, or joined.
    std::vector<std::optional<double>> numbers;
    for (std::size_t k = 0; k < first.operands.size(); ++k) {
      const auto number = definitions_.number(first.operands[k]);
      const bool is_number = number && std::ranges::all_of(makers, [&](const Op* op) {
                               return definitions_.number(op->operands[k]) == number;
                             });
      if (!is_number && shape(first.operands[k]) != shape(first.results[0])) return std::nullopt;
      numbers.push_back(is_number ? number : std::nullopt);
    }
    if (std::ranges::none_of(numbers, [](const auto& each) { return !each; })) return std::nullopt;
    std::vector<ValueId> operands;
    for (std::size_t k = 0; k < first.operands.size(); ++k) {
      const Type all{.element = type(first.operands[k]).element, .shape = whole};
      if (numbers[k]) {
        operands.push_back(shape(first.operands[k]).empty() && !part.empty() &&
                                   !shape(first.results[0]).empty()
                               ? first.operands[k]
                               : write.number(all, *numbers[k]));
        continue;
      }
      std::vector<ValueId> parts;
      for (const Op* const op : makers) parts.push_back(op->operands[k]);
      operands.push_back(join(std::move(parts), part, dim, all, write));
    }
    return write.emit(first.kind, std::move(operands),
                      {.element = type(first.results[0]).element, .shape = whole},
                      first.attributes);
  }

  // NOLINTNEXTLINE(misc-no-recursion): likewise
  ValueId join(std::vector<ValueId> parts, const Dims& part, std::int64_t dim, const Type& whole,
               graph::Builder& write) {
    if (const auto made = joined(parts, part, dim, write)) return *made;
    for (ValueId& each : parts)
      if (shape(each) != part) each = write.reshape(each, part);
    return write.emit(OpKind::concatenate, std::move(parts), Type(whole), {{"dimension", {dim}}});
  }

  // Whether a part has elements far from each other in the join, which turns them back to back.
  static bool scatters(const Dims& part, std::int64_t dim) {
    if (part[static_cast<std::size_t>(dim)] != 1 || dim == 0) return false;
    std::int64_t run = 1;
    for (std::size_t i = static_cast<std::size_t>(dim); i < part.size(); ++i) run *= part[i];
    return run < scattered_run;
  }

  // Of slices of one element each, one behind the other: what they are slices of, turned.
  std::optional<ValueId> slices(const std::vector<ValueId>& parts, const Dims& part,
                                std::int64_t dim, graph::Builder& write) const {
    if (part[static_cast<std::size_t>(dim)] != 1) return std::nullopt;
    ValueId source = 0;
    std::int64_t first = 0, moving = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Op* const slice = definitions_.of(unshaped(parts[i]), OpKind::slice);
      const auto at = slice == nullptr ? std::nullopt : place_of(*slice);
      if (!at) return std::nullopt;
      if (i == 0) {
        source = slice->operands[0];
        std::tie(moving, first) = *at;
      }
      if (slice->operands[0] != source ||
          *at != std::pair(moving, first + static_cast<std::int64_t>(i)))
        return std::nullopt;
    }
    Dims left = shape(source), kept = part;
    left.erase(left.begin() + moving);
    kept.erase(kept.begin() + dim);
    if (left != kept) return std::nullopt;
    const auto count = static_cast<std::int64_t>(parts.size());
    const ValueId some = shape(source)[static_cast<std::size_t>(moving)] == count
                             ? source
                             : write.sliced(source, moving, first, first + count);
    Dims order;
    for (std::int64_t i = 0; i < std::ssize(left); ++i) order.push_back(i < moving ? i : i + 1);
    order.insert(order.begin() + dim, moving);
    return write.turned(some, std::move(order));
  }
  // The dimension along which a slice takes one element, all of the others, and which.
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> place_of(
      const Op& slice) const {
    const Dims &from = shape(slice.operands[0]), &to = shape(slice.results[0]);
    std::optional<std::pair<std::int64_t, std::int64_t>> found;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == to[i]) continue;
      if (found || to[i] != 1) return std::nullopt;
      found.emplace(static_cast<std::int64_t>(i), slice.integers("start_indices")[i]);
    }
    return found;
  }

  Function& function_;
  const Function before_;  // as it was: what the definitions point into
  Definitions definitions_;
  std::map<ValueId, int> readers_;
};

bool has_joins(const Function& function) {
  return graph::has_op(function.body, [](const Op& op) { return op.kind == OpKind::concatenate; });
}

}  // namespace

void join_at_once(graph::Module& module) {
  for (Function& function : module.functions) {
    if (!has_joins(function)) continue;
    const std::map<ValueId, int> readers = graph::count_operands(function.body);
    std::map<ValueId, Op> joins;
    graph::replace_each(function.body, [&](Op& op, std::vector<Op>&) {
      if (op.kind != OpKind::concatenate) return false;
      std::vector<ValueId> parts;
      for (const ValueId value : op.operands) {
        const auto inner = joins.find(value);
        if (inner == joins.end() || readers.at(value) != 1 ||
            inner->second.integer("dimension") != op.integer("dimension")) {
          parts.push_back(value);
        } else {
          parts.insert(parts.end(), inner->second.operands.begin(), inner->second.operands.end());
        }
      }
      std::erase_if(parts, [&](ValueId value) { return function.type(value).elements() == 0; });
      if (parts.empty()) return false;
      op.operands = std::move(parts);
      if (op.operands.size() == 1) {
        op.kind = OpKind::reshape;
        op.attributes.clear();
        return false;
      }
      joins[op.results[0]] = op;
      return false;
    });
    graph::drop_unread(function.body);
  }
}

void join_before_arithmetic(graph::Module& module) {
  for (Function& function : module.functions)
    if (has_joins(function)) JoinedArithmetic(function).run();
}

}  // namespace trainyard::compiler
