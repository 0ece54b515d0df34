#include "compiler/lowering/canonical/summed_products.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/dot_sides.h"
#include "compiler/lowering/tiles/reductions.h"
#include "graph/builder.h"
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

Dims without(std::span<const std::int64_t> dims, std::span<const std::int64_t> places) {
  Dims kept;
  for (std::int64_t i = 0; i < std::ssize(dims); ++i)
    if (!is_in(places, i)) kept.push_back(dims[static_cast<std::size_t>(i)]);
  return kept;
}

class SummedProducts {
 public:
  explicit SummedProducts(Function& function)
      : function_(function),
        before_(function),
        definitions_(before_),
        readers_(graph::count_operands(function.body)) {
    rewrite(function.body);
  }

 private:
  // A product, its batches that are summed, and how what is left of its result lies.
  struct Sum {
    const Op* dot;
    Dims batches;
    Dims order;
    std::vector<ValueId> between{};  // and its own result: nothing else reads them
  };

  [[nodiscard]] std::optional<Sum> find(const Op& reduce) const {
    if (reduce.kind != OpKind::reduce || reduce.results.size() != 1) return std::nullopt;
    const Type& result = function_.type(reduce.results[0]);
    if (reduction_of(reduce.regions.at(0), result.element) != numerics::AluOp::add ||
        !graph::is_float(result.element) || definitions_.number(reduce.operands[1]) != 0.0)
      return std::nullopt;
    const auto dims = reduce.integers("dimensions");
    Sum sum{.dot = nullptr, .batches = {dims.begin(), dims.end()}, .order = {}};
    for (std::int64_t dim = 0; dim < function_.type(reduce.operands[0]).rank(); ++dim)
      if (!is_in(dims, dim)) sum.order.push_back(dim);
    ValueId value = reduce.operands[0];
    for (const Op* op = definitions_.of(value); op != nullptr; op = definitions_.of(value)) {
      if (readers_.at(value) != 1) return std::nullopt;
      sum.between.push_back(value);
      if (op->kind == OpKind::dot_general && op->operands.size() == 2) {
        sum.dot = op;
        break;
      }
      if (op->kind == OpKind::transpose) {
        const auto order = op->integers("permutation");
        for (Dims* const all : {&sum.batches, &sum.order})
          for (std::int64_t& dim : *all) dim = order[static_cast<std::size_t>(dim)];
      } else if (!widens(*op)) {  // a narrower format would have rounded each term
        return std::nullopt;
      }
      value = op->operands[0];
    }
    if (sum.dot == nullptr) return std::nullopt;
    const std::int64_t batches = std::ssize(sum.dot->integers("lhs_batching_dimensions"));
    const Dims& shape = function_.type(sum.dot->results[0]).shape;
    std::erase_if(sum.batches,
                  [&](std::int64_t dim) { return shape[static_cast<std::size_t>(dim)] == 1; });
    const bool are_batches =
        !sum.batches.empty() &&
        std::ranges::all_of(sum.batches, [&](std::int64_t dim) { return dim < batches; });
    return are_batches && graph::is_float(function_.type(sum.dot->results[0]).element)
               ? std::optional(sum)
               : std::nullopt;
  }

  [[nodiscard]] bool widens(const Op& op) const {
    return op.kind == OpKind::convert && definitions_.uncast(op.results[0]) == op.operands[0] &&
           graph::bits(function_.type(op.results[0]).element) >
               graph::bits(function_.type(op.operands[0]).element);
  }

  void write(const Op& reduce, const Sum& sum, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, sum.dot->location);
    graph::Dictionary attributes = sum.dot->attributes;
    for (const DotSide& side : dot_sides) {
      const auto batches = sum.dot->integers(side.batches), depths = sum.dot->integers(side.depths);
      Dims summed;
      for (const std::int64_t dim : sum.batches)
        summed.push_back(batches[static_cast<std::size_t>(dim)]);
      summed.insert(summed.end(), depths.begin(), depths.end());
      set_integers(attributes, side.batches, without(batches, sum.batches));
      set_integers(attributes, side.depths, std::move(summed));
    }
    const Type& whole = function_.type(sum.dot->results[0]);
    const Type& result = function_.type(reduce.results[0]);
    Type made{.element = result.element, .shape = without(whole.shape, sum.batches)};
    // Dimensions of one element come first, and go.
    Dims order;
    for (std::int64_t dim = 0; dim < whole.rank(); ++dim)
      if (!is_in(sum.order, dim) && !is_in(sum.batches, dim)) order.push_back(dim);
    order.insert(order.end(), sum.order.begin(), sum.order.end());
    for (std::int64_t& dim : order)
      dim -= std::ranges::count_if(sum.batches, [&](std::int64_t each) { return each < dim; });
    const bool is_whole = std::ssize(order) == result.rank();
    const ValueId value = write.turned(
        write.emit(OpKind::dot_general, sum.dot->operands, std::move(made), std::move(attributes)),
        std::move(order));
    if (is_whole) {
      ops.back().results = reduce.results;
    } else {
      ops.push_back({.kind = OpKind::reshape,
                     .operands = {value},
                     .results = reduce.results,
                     .location = reduce.location});
    }
  }

  static bool is_made_by(const std::vector<Op>& ops, ValueId value) {
    return std::ranges::any_of(
        ops, [&](const Op& op) { return op.results.size() == 1 && op.results[0] == value; });
  }

  void rewrite(Region& region) {
    graph::replace_each(region, [&](const Op& op, std::vector<Op>& ops) {
      const auto sum = find(op);
      // Not turn after turn of a loop.
      if (!sum || !is_made_by(ops, sum->between.back())) return false;
      write(op, *sum, ops);
      std::erase_if(ops, [&](const Op& each) {
        return each.results.size() == 1 &&
               std::ranges::find(sum->between, each.results[0]) != sum->between.end();
      });
      return true;
    });
  }

  Function& function_;
  const Function before_;  // as it was: what the definitions point into
  Definitions definitions_;
  std::map<ValueId, int> readers_;
};

}  // namespace

void sum_products(graph::Module& module) {
  for (Function& function : module.functions) {
    if (graph::has_op(function.body, [](const Op& op) { return op.kind == OpKind::reduce; }))
      SummedProducts{function};
  }
}

}  // namespace trainyard::compiler
