#include "compiler/lowering/patterns/routed_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/indexing.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/reductions.h"
#include "graph/builder.h"
#include "graph/each_body.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

constexpr std::int64_t counted_min = 512;    // numbers from which on counting is faster
constexpr std::int64_t key_bound_max = 512;  // and what they may be below
constexpr std::int64_t counted_block = 128;  // numbers that one product counts

// Counts which place each of `keys` [count], whole numbers below `bound`, takes in their stable
// order: those before it are of smaller keys, or equal ones of earlier blocks or of its block. In
// float32.
ValueId places_in_order(graph::Builder& write, ValueId keys, std::int64_t bound,
                        std::int64_t block) {
  const std::int64_t count = write.type(keys).shape[0], blocks = count / block;
  const Dims shape{block, blocks, bound};
  const auto f32 = [](Dims dims) {
    return Type{.element = ElementType::f32, .shape = std::move(dims)};
  };
  const auto apply = [&](OpKind kind, ValueId a, ValueId b) {
    return write.emit(kind, {a, b}, write.type(a));
  };
  const auto product = [&](ValueId a, ValueId b, Dims made) {
    return write.emit(OpKind::dot_general, {a, b}, f32(std::move(made)),
                      {{"lhs_batching_dimensions", {Dims{}}},
                       {"lhs_contracting_dimensions", {Dims{1}}},
                       {"rhs_batching_dimensions", {Dims{}}},
                       {"rhs_contracting_dimensions", {Dims{0}}}});
  };
  const auto triangle = [&](std::int64_t size, const std::string& direction, ElementType element) {
    return write.convert(
        write.compared(write.counting({size, size}, 1), direction, write.counting({size, size}, 0)),
        element);
  };
  const ValueId apart = write.reshape(write.convert(keys, ElementType::f32), {blocks, block});
  const ValueId turned =
      write.emit(OpKind::transpose, {apart}, f32({block, blocks}), {{"permutation", {Dims{1, 0}}}});
  const ValueId is_key =
      write.compared(write.spread(turned, {0, 1}, shape), "EQ", write.counting(shape, 2));
  const ValueId within = product(triangle(block, "LE", ElementType::bf16),
                                 write.convert(is_key, ElementType::bf16), shape);
  const ValueId all = write.reshape(write.sliced(within, 0, block - 1, block), {blocks, bound});
  const ValueId before = product(triangle(blocks, "LT", ElementType::f32), all, {blocks, bound});
  const ValueId of_key = write.sum(all, {0});
  const ValueId is_smaller = triangle(bound, "LT", ElementType::f32);
  const ValueId smaller = write.sum(
      apply(OpKind::multiply, is_smaller, write.spread(of_key, {1}, {bound, bound})), {1});
  const ValueId first = apply(OpKind::add, before, write.spread(smaller, {1}, {blocks, bound}));
  const ValueId upto = apply(OpKind::add, within, write.spread(first, {1, 2}, shape));
  const ValueId own =
      write.emit(OpKind::select, {is_key, upto, write.number(f32(shape), 0)}, f32(shape));
  const ValueId one_more = write.sum(own, {2});
  const ValueId place = apply(OpKind::subtract, one_more, write.number(f32({block, blocks}), 1));
  const ValueId back =
      write.emit(OpKind::transpose, {place}, f32({blocks, block}), {{"permutation", {Dims{1, 0}}}});
  return write.reshape(back, {count});
}

class RowRouter {
 public:
  explicit RowRouter(Function& function) : function_(function), definitions_(function) {
    for (const Op& op : function.body.ops) {
      for (const ValueId value : op.results) maker_[value] = &op;
    }
  }

  void run() {
    for (const Op& op : function_.body.ops) {
      if (!counts(op) && !turns(op) && !gathers(op)) ops_.push_back(op);
    }
    if (!inverse_.empty()) function_.body.ops = std::move(ops_);
  }

 private:
  [[nodiscard]] Type type(ValueId value) const { return function_.type(value); }

  // An argsort: of s32 numbers and 0, 1, 2 ..., ascending and stable.
  [[nodiscard]] bool is_argsort(const Op& op) const {
    if (op.kind != OpKind::sort || op.operands.size() != 2 || type(op.operands[0]).rank() != 1 ||
        type(op.operands[0]).element != ElementType::s32 ||
        type(op.operands[1]).element != ElementType::s32 || !op.flag("is_stable", false) ||
        definitions_.of(op.operands[1], OpKind::iota) == nullptr)
      return false;
    const graph::Region& order = op.regions.at(0);
    const Op& compared = order.ops.front();
    return order.ops.size() == 2 && compared.kind == OpKind::compare &&
           compared.text("comparison_direction") == "LT" &&
           compared.operands == std::vector<ValueId>{order.arguments[0], order.arguments[1]};
  }

  // Below which number all elements are, none of them below 0: of what top_k chose.
  [[nodiscard]] std::optional<std::int64_t> bound(ValueId value) const {
    while (const Op* const op = definitions_.of(value)) {
      if (op->kind != OpKind::reshape) break;
      value = op->operands[0];
    }
    const auto maker = maker_.find(value);
    if (maker == maker_.end() || maker->second->kind != OpKind::composite ||
        maker->second->text("name") != "chlo.top_k" || maker->second->results[1] != value)
      return std::nullopt;
    return type(maker->second->operands[0]).shape.back();
  }

  bool counts(const Op& op) {
    if (!is_argsort(op)) return false;
    const std::int64_t count = type(op.operands[0]).shape[0];
    const std::optional<std::int64_t> below = bound(op.operands[0]);
    std::int64_t block = 1;
    while (block < counted_block && count % (2 * block) == 0) block *= 2;
    if (!below || *below > key_bound_max || count < counted_min || count >= 1 << 24 ||
        block < counted_block)
      return false;
    graph::Builder write(function_, ops_, op.location);
    const ValueId place = places_in_order(write, op.operands[0], *below, block);
    const Type words = type(op.results[1]);
    const ValueId numbers = write.convert(write.counting({count}, 0), ElementType::s32);
    // Cast apart, or clusters of rows would let the order wait for what comes of the places.
    const ValueId cast = write.convert(place, ElementType::s32);
    const ValueId order = write.put_into(write.number(words, 0), cast, numbers);
    define(op.results[0], write.picked(op.operands[0], order), op);
    define(op.results[1], order, op);
    inverse_[op.results[1]] = write.convert(place, ElementType::s32);
    return true;
  }

  // The argsort of an order is where each number of it stands.
  bool turns(const Op& op) {
    if (!is_argsort(op)) return false;
    const auto found = inverse_.find(op.operands[0]);
    if (found == inverse_.end()) return false;
    define(op.results[0], op.operands[1], op);
    define(op.results[1], found->second, op);
    inverse_[op.results[1]] = op.operands[0];
    return true;
  }

  void define(ValueId value, ValueId as, const Op& op) {
    ops_.push_back(
        {.kind = OpKind::reshape, .operands = {as}, .results = {value}, .location = op.location});
  }

  // An index that is negative counts from the end: none is.
  [[nodiscard]] ValueId without_wrapping(ValueId value) const {
    for (const Op* op = definitions_.of(value); op != nullptr; op = definitions_.of(value)) {
      const bool adds_a_dim = op->kind == OpKind::broadcast_in_dim &&
                              type(value).elements() == type(op->operands[0]).elements();
      if (op->kind == OpKind::reshape || adds_a_dim) {
        value = op->operands[0];
        continue;
      }
      const Op* const added =
          op->kind == OpKind::select ? definitions_.of(op->operands[1], OpKind::add) : nullptr;
      const Op* const test =
          added == nullptr ? nullptr : definitions_.of(op->operands[0], OpKind::compare);
      if (test == nullptr || test->text("comparison_direction") != "LT" ||
          test->operands[0] != op->operands[2] || !definitions_.is_number(test->operands[1], 0) ||
          added->operands[0] != op->operands[2])
        break;
      value = op->operands[2];
    }
    return value;
  }

  // The order that the indices are, divided by `k` and rounded down.
  [[nodiscard]] std::optional<ValueId> divided(ValueId indices, std::int64_t k) const {
    ValueId value = without_wrapping(indices);
    if (k > 1) {
      const Op* const rounded = definitions_.of(value, OpKind::select);
      if (rounded != nullptr) {
        const Op* const less = definitions_.of(rounded->operands[1], OpKind::subtract);
        if (less == nullptr || less->operands[0] != rounded->operands[2]) return std::nullopt;
        value = rounded->operands[2];
      }
      const Op* const quotient = definitions_.of(value, OpKind::divide);
      if (quotient == nullptr ||
          definitions_.number(quotient->operands[1]) != static_cast<double>(k))
        return std::nullopt;
      value = quotient->operands[0];
    }
    return inverse_.contains(value) ? std::optional(value) : std::nullopt;
  }

  // Rows that were put into an order, brought back and taken k at a time.
  struct Returned {
    ValueId order = 0;
    std::int64_t k = 1;
    std::map<std::pair<ValueId, std::int64_t>, ValueId> parts{};  // [rows / k, ...]
  };

  // The i-th of each k rows. What elementwise operations make of rows, they make of those parts.
  ValueId part_of(ValueId value, std::int64_t i, Returned& rows, graph::Builder& write) {
    const auto key = std::pair(value, i);
    if (const auto found = rows.parts.find(key); found != rows.parts.end()) return found->second;
    Type part = type(value);
    part.shape[0] /= rows.k;
    const Op* const op = definitions_.of(value);
    ValueId made = 0;
    if (const auto number = definitions_.number(value)) {
      made = write.number(part, *number);
    } else if (op != nullptr && (lowers_elementwise(*op, function_) || keeps_rows(*op))) {
      std::vector<ValueId> operands;
      for (const ValueId operand : op->operands)
        operands.push_back(part_of(operand, i, rows, write));
      made = write.emit(op->kind, std::move(operands), part, op->attributes);
    } else if (was_put_into(value, rows.order)) {
      made = write.reshape(every(op->operands[0], i, rows.k, write), part.shape);
    } else {
      const ValueId back = every(inverse_.at(rows.order), i, rows.k, write);
      made = write.picked(value, write.reshape(back, {part.shape[0]}));
    }
    return rows.parts[key] = made;
  }

  [[nodiscard]] bool keeps_rows(const Op& op) const {
    if (op.kind != OpKind::reshape && op.kind != OpKind::broadcast_in_dim) return false;
    const Type from = type(op.operands[0]), to = type(op.results[0]);
    return from.rank() > 0 && from.shape[0] == to.shape[0] &&
           (op.kind == OpKind::reshape || op.integers("broadcast_dimensions")[0] == 0);
  }

  // The i-th of each k rows: [rows / k, 1, ...].
  static ValueId every(ValueId value, std::int64_t i, std::int64_t k, graph::Builder& write) {
    Dims shape = write.type(value).shape;
    shape[0] /= k;
    shape.insert(shape.begin() + 1, k);
    return write.sliced(write.reshape(value, shape), 1, i, i + 1);
  }

  // Whether its rows are all those of another value, in that order.
  [[nodiscard]] bool was_put_into(ValueId value, ValueId order) const {
    const Op* const op = definitions_.of(value, OpKind::gather);
    if (op == nullptr || type(op->operands[0]) != type(value)) return false;
    const Indexing how = indexing_of_gather(*op);
    Dims windowed;
    for (std::int64_t dim = 1; dim < type(value).rank(); ++dim) windowed.push_back(dim);
    return how.collapsed == Dims{0} && how.indexed == Dims{0} && how.windowed == windowed &&
           divided(op->operands[1], 1) == order;
  }

  // Sums of k rows each, in float32, rounded once.
  bool gathers(const Op& op) {
    if (op.kind != OpKind::scatter || op.results.size() != 1 || op.operands.size() != 3)
      return false;
    const Type table = type(op.operands[0]), updates = type(op.operands[2]);
    const Indexing how = indexing_of_scatter(op);
    Dims windowed;
    for (std::int64_t dim = 1; dim < table.rank(); ++dim) windowed.push_back(dim);
    if (!graph::is_float(table.element) || how.collapsed != Dims{0} || how.indexed != Dims{0} ||
        how.windowed != windowed || updates.rank() != table.rank() || table.shape[0] == 0 ||
        updates.shape[0] % table.shape[0] != 0 ||
        reduction_of(op.regions.at(0), table.element) != numerics::AluOp::add)
      return false;
    const std::int64_t k = updates.shape[0] / table.shape[0];
    const std::optional<ValueId> order = divided(op.operands[1], k);
    if (!order) return false;
    graph::Builder write(function_, ops_, op.location);
    Returned rows{.order = *order, .k = k};
    ValueId total = write.convert(op.operands[0], ElementType::f32);
    for (std::int64_t i = 0; i < k; ++i) {
      const ValueId part = part_of(op.operands[2], i, rows, write);
      total = write.emit(OpKind::add, {total, write.convert(part, ElementType::f32)},
                         {.element = ElementType::f32, .shape = table.shape});
    }
    ops_.push_back({.kind = OpKind::convert,
                    .operands = {total},
                    .results = op.results,
                    .location = op.location});
    return true;
  }

  Function& function_;
  Definitions definitions_;
  std::map<ValueId, const Op*> maker_;
  std::map<ValueId, ValueId> inverse_;  // of orders
  std::vector<Op> ops_;
};

}  // namespace

void route_rows(graph::Module& module) {
  for (Function& function : module.functions)
    graph::each_body(function, [](Function& each) { RowRouter(each).run(); });
}

}  // namespace trainyard::compiler
