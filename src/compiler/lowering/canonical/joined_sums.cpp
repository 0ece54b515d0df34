#include "compiler/lowering/canonical/joined_sums.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/dot_sides.h"
#include "compiler/lowering/tiles/literal.h"
#include "graph/builder.h"
#include "graph/folds.h"
#include "graph/reads.h"
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

// More parts are better summed where they lie, and fewer elements where they are.
constexpr std::size_t joined_parts_max = 8;
constexpr std::int64_t summed_elements_min = 4096;

class JoinedSums {
 public:
  explicit JoinedSums(Function& function)
      : function_(function), readers_(graph::count_operands(function.body)) {
    graph::replace_each(function.body, [&](const Op& op, std::vector<Op>& ops) {
      note(op);
      return sum(op, ops);
    });
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Op* maker(ValueId value) const {
    const auto found = makers_.find(value);
    return found == makers_.end() ? nullptr : &found->second;
  }

  void note(const Op& op) {
    const bool is_one = op.kind == OpKind::concatenate || op.kind == OpKind::broadcast_in_dim ||
                        graph::is(op.kind, graph::Trait::elementwise);
    if (is_one && op.results.size() == 1) makers_[op.results[0]] = op;
    if (op.kind == OpKind::constant && one_number(op.literal("value")) == 0.0)
      zeros_.push_back(op.results[0]);
  }
  [[nodiscard]] bool is_zero(ValueId value) const {
    const Op* const op = maker(value);
    return std::ranges::find(zeros_, value) != zeros_.end() ||
           (op != nullptr && op->kind == OpKind::broadcast_in_dim && is_zero(op->operands[0]));
  }

  // The dimension along which a value was joined that only this one is computed from, and the sizes
  // of its parts; whether something else repeats along it.
  struct Joined {
    std::int64_t dim = 0;
    Dims sizes;
    bool meets_repeated = false;
  };
  [[nodiscard]] std::optional<Joined> joined(ValueId value) const {
    const Op* const op = maker(value);
    if (op == nullptr || readers_.at(value) != 1) return std::nullopt;
    if (op->kind == OpKind::concatenate) {
      Joined found{.dim = op->integer("dimension"), .sizes = {}};
      for (const ValueId part : op->operands)
        found.sizes.push_back(type(part).shape[static_cast<std::size_t>(found.dim)]);
      return found;
    }
    std::optional<Joined> found;
    for (const ValueId operand : op->operands) {
      if (type(operand).shape != type(value).shape) return std::nullopt;
      if (!found) found = joined(operand);
    }
    if (!found || op->kind == OpKind::broadcast_in_dim) return found;
    found->meets_repeated |= std::ranges::any_of(
        op->operands, [&](ValueId operand) { return repeats(operand, found->dim); });
    return found;
  }
  [[nodiscard]] bool repeats(ValueId value, std::int64_t dim) const {
    const Op* const op = maker(value);
    return op != nullptr && op->kind == OpKind::broadcast_in_dim &&
           !is_in(op->integers("broadcast_dimensions"), dim);
  }

  // Elements [begin, end) along a dimension, of which one alone has no such dimension.
  struct Part {
    std::int64_t dim, begin, end;
    [[nodiscard]] bool is_one() const { return end - begin == 1; }
    [[nodiscard]] Dims of(Dims shape) const {
      const auto at = shape.begin() + dim;
      if (is_one()) {
        shape.erase(at);
      } else {
        *at = end - begin;
      }
      return shape;
    }
  };

  // That part of a value, computed from such parts of what it is made of.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as `joined` went
  ValueId part(ValueId value, const Part& which, graph::Builder& write) const {
    const Op* const op = maker(value);
    if (op == nullptr) return cut(value, which, write);
    if (op->kind == OpKind::concatenate) {
      std::int64_t at = 0;
      for (const ValueId operand : op->operands) {
        const std::int64_t size = type(operand).shape[static_cast<std::size_t>(which.dim)];
        if (op->integer("dimension") == which.dim && at == which.begin && at + size == which.end)
          return which.is_one() ? without(operand, which, write) : operand;
        at += size;
      }
      return cut(value, which, write);
    }
    if (op->kind == OpKind::broadcast_in_dim) return part_of_spread(*op, which, write);
    Op some = *op;
    for (ValueId& operand : some.operands) operand = part(operand, which, write);
    Type result = type(value);
    result.shape = which.of(result.shape);
    return write.emit(some.kind, std::move(some.operands), std::move(result), some.attributes);
  }
  ValueId cut(ValueId value, const Part& which, graph::Builder& write) const {
    const ValueId some = write.sliced(value, which.dim, which.begin, which.end);
    return which.is_one() ? write.reshape(some, which.of(type(value).shape)) : some;
  }
  // A value of one element along the dimension, as it was before it got that.
  ValueId without(ValueId value, const Part& which, graph::Builder& write) const {
    const Dims shape = which.of(type(value).shape);
    const Op* const op = maker(value);
    const bool is_made = op != nullptr && op->kind == OpKind::broadcast_in_dim &&
                         type(op->operands[0]).shape == shape &&
                         std::ranges::is_sorted(op->integers("broadcast_dimensions"));
    return is_made ? op->operands[0] : write.reshape(value, shape);
  }
  // NOLINTNEXTLINE(misc-no-recursion): likewise
  ValueId part_of_spread(const Op& spread, const Part& which, graph::Builder& write) const {
    const auto all = spread.integers("broadcast_dimensions");
    Dims places(all.begin(), all.end());
    const Dims shape = which.of(type(spread.results[0]).shape);
    ValueId source = spread.operands[0];
    if (type(source).shape == type(spread.results[0]).shape && std::ranges::is_sorted(places))
      return part(source, which, write);
    if (const auto at = std::ranges::find(places, which.dim); at != places.end()) {
      const std::int64_t from = at - places.begin();
      const bool repeats = type(source).shape[static_cast<std::size_t>(from)] == 1;
      source = cut(source, {from, repeats ? 0 : which.begin, repeats ? 1 : which.end}, write);
      if (repeats && !which.is_one())
        return write.spread(source, without_place(places, which.dim), shape);
      if (which.is_one()) places.erase(places.begin() + from);
    }
    if (which.is_one())
      for (std::int64_t& place : places) place -= place > which.dim ? 1 : 0;
    return type(source).shape == shape ? source : write.spread(source, std::move(places), shape);
  }
  static Dims without_place(Dims places, std::int64_t dim) {
    std::erase(places, dim);
    return places;
  }

  // In float32.
  ValueId summed(ValueId value, Dims dims, graph::Builder& write) const {
    if (type(value).element != ElementType::f32) value = write.convert(value, ElementType::f32);
    return dims.empty() ? value : write.sum(value, std::move(dims));
  }

  bool sum(const Op& op, std::vector<Op>& ops) {
    if (op.kind != OpKind::reduce || op.results.size() != 1 || !is_zero(op.operands[1]))
      return false;
    const Type from = type(op.operands[0]), to = type(op.results[0]);
    const auto folds = graph::simple_folds(op.regions.at(0));
    if (!folds || folds->front() != OpKind::add || !from.is_static() ||
        !graph::is_float(from.element) || from.elements() < summed_elements_min)
      return false;
    const std::optional<Joined> found = joined(op.operands[0]);
    if (!found || found->sizes.size() > joined_parts_max) return false;
    const Dims dims(op.integers("dimensions").begin(), op.integers("dimensions").end());
    const bool sums_over = is_in(dims, found->dim);
    const bool is_stack = std::ranges::all_of(found->sizes, [](auto size) { return size == 1; });
    // Parts that each meet the same factor are summed apart; others stand in rows beside each
    // other.
    if (!sums_over && !(is_stack && found->meets_repeated)) return false;
    graph::Builder write(function_, ops, op.location);
    std::vector<ValueId> sums;
    std::int64_t at = 0;
    for (const std::int64_t size : found->sizes) {
      const Part which{found->dim, at, at + size};
      Dims left = dims;
      if (which.is_one()) {
        std::erase(left, which.dim);
        for (std::int64_t& dim : left) dim -= dim > which.dim ? 1 : 0;
      }
      sums.push_back(summed(part(op.operands[0], which, write), std::move(left), write));
      at += size;
    }
    ValueId all = sums.front();
    if (sums_over) {
      for (std::size_t i = 1; i < sums.size(); ++i)
        all = write.emit(OpKind::add, {all, sums[i]}, Type(type(all)));
    } else {
      const std::int64_t dim =
          found->dim - std::ranges::count_if(dims, [&](auto each) { return each < found->dim; });
      Dims one = to.shape;
      one[static_cast<std::size_t>(dim)] = 1;
      for (ValueId& sum : sums) sum = write.reshape(sum, one);
      all = write.emit(OpKind::concatenate, std::move(sums),
                       {.element = ElementType::f32, .shape = to.shape}, {{"dimension", {dim}}});
    }
    if (to.element != ElementType::f32) static_cast<void>(write.convert(all, to.element));
    ops.back().results = op.results;
    return true;
  }

  Function& function_;
  std::map<ValueId, int> readers_;
  std::map<ValueId, Op> makers_;
  std::vector<ValueId> zeros_;
};

}  // namespace

void sum_joined_parts(graph::Module& module) {
  for (Function& function : module.functions)
    if (graph::has_op(function.body, [](const Op& op) { return op.kind == OpKind::concatenate; }))
      JoinedSums{function};
}

}  // namespace trainyard::compiler
