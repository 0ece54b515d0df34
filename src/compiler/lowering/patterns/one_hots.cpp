#include "compiler/lowering/patterns/one_hots.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/lowering/patterns/recognize.h"
#include "compiler/lowering/tiles/reductions.h"
#include "graph/each_body.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using numerics::AluOp;

// 0, 1, 2 ... along the last dimension.
bool counts_columns(const Definitions& definitions, ValueId value) {
  std::int64_t dim = definitions.type(value).rank() - 1;
  const Op* op = definitions.of(value);
  for (; op != nullptr && op->kind == OpKind::broadcast_in_dim;
       op = definitions.of(op->operands[0])) {
    const auto places = op->integers("broadcast_dimensions");
    const auto at = std::ranges::find(places, dim);
    if (at == places.end()) return false;
    const auto from = static_cast<std::size_t>(at - places.begin());
    const auto to = static_cast<std::size_t>(std::exchange(dim, at - places.begin()));
    if (definitions.type(op->operands[0]).shape[from] != definitions.type(op->results[0]).shape[to])
      return false;
  }
  return op != nullptr && op->kind == OpKind::iota && op->integer("iota_dimension") == dim;
}

bool has_equal_columns(const Definitions& definitions, ValueId value) {
  if (definitions.number(value)) return true;
  const Op* const op = definitions.of(value, OpKind::broadcast_in_dim);
  if (op == nullptr) return false;
  const Type &from = definitions.type(op->operands[0]), &to = definitions.type(value);
  const auto places = op->integers("broadcast_dimensions");
  for (std::size_t i = 0; i < from.shape.size(); ++i) {
    if (from.shape[i] != 1 && places[i] == to.rank() - 1) return false;
  }
  const bool has_all = from.elements() * to.shape.back() == to.elements();
  return from.elements() == 1 || (has_all && std::ranges::is_sorted(places));
}

// Sums along rows of products with one-hot rows, each as the element that counts.
class Sums {
 public:
  explicit Sums(Function& function) : function_(function), definitions_(function) {}

  [[nodiscard]] bool run() {
    for (const Op& op : function_.body.ops) {
      if (!becomes_pick(op)) ops_.push_back(op);
    }
    if (changed_) function_.body.ops = std::move(ops_);
    return changed_;
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }

  [[nodiscard]] bool becomes_pick(const Op& op) {
    if (!reduces_rows(definitions_, op, AluOp::add) ||
        !graph::is_float(type(op.results[0]).element))
      return false;
    const Op* const product =
        definitions_.of(definitions_.uncast(op.operands[0]), OpKind::multiply);
    if (product == nullptr) return false;
    graph::Builder write(function_, ops_, op.location);
    for (const std::size_t side : {0U, 1U}) {
      const auto hot = one_hot(definitions_, product->operands[side]);
      if (!hot) continue;
      const ValueId labels = *column_of(definitions_, hot->labels, write);
      ValueId sum = picked(product->operands[1 - side], labels, write);
      if (hot->is_negated) sum = write.emit(OpKind::negate, {sum}, Type(type(sum)));
      sum = write.convert(sum, type(op.results[0]).element);
      write.reshape(sum, type(op.results[0]).shape);
      ops_.back().results = op.results;
      return changed_ = true;
    }
    return false;
  }

  // The element that each label names, or 0.
  ValueId picked(ValueId value, ValueId labels, graph::Builder write) {
    std::vector<std::int64_t> places = type(labels).shape;
    places.push_back(1);
    const ValueId element = write.row_picked(value, write.reshape(labels, std::move(places)));
    return write.within(element, labels, type(value).shape.back());
  }

  Function& function_;
  Definitions definitions_;
  std::vector<Op> ops_;
  bool changed_ = false;
};

}  // namespace

std::optional<OneHot> one_hot(const Definitions& definitions, ValueId value) {
  OneHot hot;
  const Op* op = definitions.of(value);
  for (; op != nullptr && (op->kind == OpKind::convert || op->kind == OpKind::negate);
       op = definitions.of(op->operands[0])) {
    if (!graph::is_float(definitions.type(op->results[0]).element)) return std::nullopt;
    hot.is_negated ^= op->kind == OpKind::negate;
  }
  if (op == nullptr || op->kind != OpKind::compare || op->text("comparison_direction") != "EQ")
    return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    hot.labels = op->operands[side];
    if (definitions.type(hot.labels).element == ElementType::s32 &&
        counts_columns(definitions, op->operands[1 - side]) &&
        has_equal_columns(definitions, hot.labels))
      return hot;
  }
  return std::nullopt;
}

std::optional<ValueId> column_of(const Definitions& definitions, ValueId value,
                                 graph::Builder write) {
  if (!has_equal_columns(definitions, value)) return std::nullopt;
  Type column = definitions.type(value);
  column.shape.back() = 1;
  if (const auto number = definitions.number(value)) return write.number(column, *number);
  const ValueId from = definitions.of(value)->operands[0];
  if (definitions.type(from).elements() == column.elements())
    return write.reshape(from, column.shape);
  return write.spread(write.reshape(from, {}), {}, column.shape);
}

bool reduces_rows(const Definitions& definitions, const Op& op, AluOp how) {
  if (op.kind != OpKind::reduce || op.operands.size() != 2) return false;
  const Type& from = definitions.type(op.operands[0]);
  const auto dims = op.integers("dimensions");
  return dims.size() == 1 && dims[0] == from.rank() - 1 &&
         definitions.number(op.operands[1]) == identity_of(how) &&
         reduction_of(op.regions.at(0), definitions.type(op.results[0]).element) == how;
}

void pick_one_hots(graph::Module& module) {
  bool changed = false;
  for (Function& function : module.functions)
    graph::each_body(function, [&](Function& each) { changed |= Sums(each).run(); });
  if (changed) drop_unread(module);
}

}  // namespace trainyard::compiler
