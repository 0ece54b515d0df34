#include "compiler/lowering/canonical/one_place.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/indexing.h"
#include "compiler/lowering/canonical/value_bounds.h"
#include "graph/builder.h"
#include "graph/loop_turns.h"
#include "graph/reads.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

bool gives_the_update(const Region& region) {
  return region.ops.size() == 1 && region.arguments.size() == 2 &&
         region.ops.front().operands == std::vector{region.arguments[1]};
}

class OnePlace {
 public:
  explicit OnePlace(Function& function)
      : function_(function), before_(function), bounds_(before_), definitions_(before_) {
    assume_counts(before_.body);
    graph::replace_each(function.body, [&](Op& op, std::vector<Op>& ops) {
      for (ValueId& operand : op.operands) operand = renamed(operand);
      return decide(op) || update(op, ops);
    });
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] ValueId renamed(ValueId value) const {
    const auto found = same_.find(value);
    return found == same_.end() ? value : found->second;
  }

  // What loops count, in each turn.
  void assume_counts(const Region& region) {
    for (const Op& op : region.ops) {
      const auto turns =
          op.kind == OpKind::while_ ? graph::counted_turns(op, region) : std::nullopt;
      if (turns && *turns > 0) assume_counts_of(op, *turns);
      for (const Region& nested : op.regions) assume_counts(nested);
    }
  }
  void assume_counts_of(const Op& loop, std::int64_t turns) {
    const Region& body = loop.regions.at(1);
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      const Type& counted = type(body.arguments[i]);
      if (!counted.shape.empty() || !graph::is_integer(counted.element)) continue;
      const Op* const next = graph::maker_in(body.ops.back().operands[i], body);
      if (next == nullptr || next->kind != OpKind::add || next->operands[0] != body.arguments[i])
        continue;
      const auto first = definitions_.number(loop.operands[i]),
                 by = definitions_.number(next->operands[1]);
      if (!first || !by) continue;
      const double last = *first + *by * static_cast<double>(turns - 1);
      bounds_.assume(body.arguments[i], {std::min(*first, last), std::max(*first, last)});
    }
  }

  // A choice by a test of numbers that is always so. True where the operation is gone.
  bool decide(const Op& op) {
    if (op.kind != OpKind::select || !type(op.results[0]).shape.empty()) return false;
    const std::optional<bool> is_so = bounds_.decided(op.operands[0]);
    if (is_so) same_[op.results[0]] = op.operands[*is_so ? 1 : 2];
    return is_so.has_value();
  }

  // A scatter of one window: of each dimension of the table its size, and which number of the index
  // says where it begins.
  struct Window {
    Dims sizes;
    std::map<std::int64_t, std::int64_t> numbers;
  };
  [[nodiscard]] std::optional<Window> window_of(const Op& op) const {
    if (op.kind != OpKind::scatter || op.operands.size() != 3 || !gives_the_update(op.regions[0]))
      return std::nullopt;
    const Type &table = type(op.operands[0]), &indices = type(op.operands[1]),
               &updates = type(op.operands[2]);
    const Indexing how = indexing_of_scatter(op);
    if (!table.is_static() || !how.table_batches.empty() || indices.elements() == 0 ||
        !graph::is_integer(indices.element) || graph::bits(indices.element) != 32 ||
        indices.elements() != std::ssize(how.indexed))
      return std::nullopt;
    Window found{.sizes = Dims(table.shape.size(), 1), .numbers = {}};
    const Dims walked = window_dims(how, table.rank());
    for (std::size_t i = 0; i < walked.size(); ++i)
      found.sizes[static_cast<std::size_t>(walked[i])] =
          updates.shape[static_cast<std::size_t>(how.windowed[i])];
    for (std::size_t i = 0; i < how.indexed.size(); ++i)
      found.numbers[how.indexed[i]] = static_cast<std::int64_t>(i);
    return found;
  }

  // Whether the numbers of an index lie where windows lie inside.
  [[nodiscard]] bool is_inside(const Op& op, const Window& window) {
    const Bounds all = bounds_.of(op.operands[1]);
    const Dims& shape = type(op.operands[0]).shape;
    return std::ranges::all_of(window.numbers, [&](const auto& each) {
      const auto dim = static_cast<std::size_t>(each.first);
      return all.low >= 0 && all.high <= static_cast<double>(shape[dim] - window.sizes[dim]);
    });
  }

  bool update(const Op& op, std::vector<Op>& ops) {
    const std::optional<Window> window = window_of(op);
    if (!window || !is_inside(op, *window)) return false;
    graph::Builder write(function_, ops, op.location);
    const Type index = type(op.operands[1]);
    const Type one{.element = index.element, .shape = {}};
    const ValueId numbers =
        index.rank() == 1 ? op.operands[1] : write.reshape(op.operands[1], {index.elements()});
    std::vector<ValueId> operands{op.operands[0], write.reshape(op.operands[2], window->sizes)};
    for (std::int64_t dim = 0; dim < type(op.operands[0]).rank(); ++dim) {
      const auto at = window->numbers.find(dim);
      operands.push_back(
          at == window->numbers.end()
              ? write.constant(graph::filled(one, 0))
              : write.reshape(write.sliced(numbers, 0, at->second, at->second + 1), {}));
    }
    write.emit(OpKind::dynamic_update_slice, std::move(operands), Type(type(op.results[0])));
    ops.back().results = op.results;
    return true;
  }

  Function& function_;
  const Function before_;  // as it was: what the definitions point into
  ValueBounds bounds_;
  Definitions definitions_;
  std::map<ValueId, ValueId> same_;
};

bool scatters_in_loop(const Op& op) {
  return op.kind == OpKind::while_ && std::ranges::any_of(op.regions, [](const Region& region) {
           return graph::has_op(region,
                                [](const Op& each) { return each.kind == OpKind::scatter; });
         });
}

}  // namespace

void update_one_place(graph::Module& module) {
  for (Function& function : module.functions)
    if (graph::has_op(function.body, scatters_in_loop)) OnePlace{function};
}

}  // namespace trainyard::compiler
