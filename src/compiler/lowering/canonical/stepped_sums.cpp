#include "compiler/lowering/canonical/stepped_sums.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/tiles/reductions.h"
#include "graph/builder.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// Shorter rows are better summed down first.
constexpr std::int64_t stepped_row_min = 128;
// Elements below which no layout of theirs matters.
constexpr std::int64_t stepped_elements_min = 4096;

std::int64_t size_of(const Dims& shape, std::span<const std::int64_t> dims) {
  std::int64_t size = 1;
  for (const std::int64_t dim : dims) size *= shape[static_cast<std::size_t>(dim)];
  return size;
}

// Which dimensions are reduced first; nothing where one step is as good.
std::optional<Dims> first_step(const Dims& shape, std::span<const std::int64_t> dims) {
  // Those at the end, and the runs of reduced ones before them.
  Dims last, before;
  std::int64_t runs = 0;
  bool is_end = true, in_run = false;
  for (std::int64_t dim = std::ssize(shape); dim-- > 0;) {
    const bool is_reduced = std::ranges::find(dims, dim) != dims.end();
    if (shape[static_cast<std::size_t>(dim)] == 1) {
      if (is_reduced) (is_end ? last : before).insert((is_end ? last : before).begin(), dim);
      continue;
    }
    if (!is_reduced) {
      is_end = in_run = false;
      continue;
    }
    if (!std::exchange(in_run, true)) ++runs;
    (is_end ? last : before).insert((is_end ? last : before).begin(), dim);
  }
  if (runs < 2 || size_of(shape, last) < 2) return std::nullopt;
  return size_of(shape, last) >= stepped_row_min ? last : before;
}

class Stepper {
 public:
  explicit Stepper(Function& function) : function_(function) {
    collect(function.body);
    note(function.body, Definitions(function));
    graph::replace_each(function.body, [&](const Op& op, std::vector<Op>& ops) {
      return op.kind == OpKind::reduce ? reduce(op, ops) : spread(op, ops);
    });
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }

  // Nothing is rounded between the steps.
  [[nodiscard]] std::optional<Dims> first_of(const Op& op, const Definitions& definitions) const {
    const Type &from = type(op.operands[0]), &to = type(op.results[0]);
    if (from.kind != Type::Kind::tensor || !from.is_static() ||
        from.elements() < stepped_elements_min || to.element != graph::ElementType::f32 ||
        to.elements() < 2)
      return std::nullopt;
    const auto how = reduction_of(op.regions.at(0), to.element);
    const bool chooses = how == numerics::AluOp::maximum || how == numerics::AluOp::minimum;
    const bool adds = how == numerics::AluOp::add && definitions.is_number(op.operands[1], 0);
    if (!chooses && !adds) return std::nullopt;  // what it begins with would count twice
    const std::optional<Dims> first = first_step(from.shape, op.integers("dimensions"));
    return first ? first : of_runs(from.shape, op.integers("dimensions"));
  }

  void collect(const graph::Region& region) {
    for (const Op& op : region.ops) {
      for (const graph::Region& nested : op.regions) collect(nested);
      if (op.kind != OpKind::reduce || op.results.size() != 1) continue;
      const auto dims = op.integers("dimensions");
      reduced_[type(op.operands[0]).shape].insert({dims.begin(), dims.end()});
    }
  }
  // What is summed down all rows, where others are summed down those of each image: in one pass.
  [[nodiscard]] std::optional<Dims> of_runs(const Dims& shape,
                                            std::span<const std::int64_t> dims) const {
    constexpr std::int64_t runs_max = 16;
    if (dims.empty() || dims.front() != 0 || dims.back() + 1 != std::ssize(dims))
      return std::nullopt;
    for (const Dims& other : reduced_.at(shape)) {
      if (other.empty() || other.front() == 0 || other.back() != dims.back() ||
          other.back() - other.front() + 1 != std::ssize(other))
        continue;
      const std::int64_t runs = size_of(shape, dims.first(static_cast<std::size_t>(other.front())));
      if (runs > 1 && runs <= runs_max) return other;
    }
    return std::nullopt;
  }

  // Where rows of a shape begin that is reduced along them.
  void note(const graph::Region& region, const Definitions& definitions) {
    for (const Op& op : region.ops) {
      for (const graph::Region& nested : op.regions) note(nested, definitions);
      if (op.kind != OpKind::reduce || op.results.size() != 1) continue;
      const Dims& shape = type(op.operands[0]).shape;
      const std::optional<Dims> first = first_of(op, definitions);
      if (first) firsts_.emplace(op.results[0], *first);
      const auto dims = first ? std::span<const std::int64_t>(*first) : op.integers("dimensions");
      const std::int64_t begin = std::ssize(shape) - std::ssize(dims);
      const bool is_end = std::ranges::all_of(dims, [&](std::int64_t dim) { return dim >= begin; });
      if (is_end && size_of(shape, dims) >= stepped_row_min) rows_.emplace(shape, begin);
    }
  }

  bool reduce(const Op& op, std::vector<Op>& ops) {
    const auto found = firsts_.find(op.results.at(0));
    if (found == firsts_.end()) return false;
    const Dims& first = found->second;
    const Type& from = type(op.operands[0]);
    Type between{.element = type(op.results[0]).element, .shape = {}};
    Dims rest;
    for (std::int64_t dim = 0; dim < from.rank(); ++dim) {
      if (std::ranges::find(first, dim) != first.end()) continue;
      const auto dims = op.integers("dimensions");
      if (std::ranges::find(dims, dim) != dims.end()) rest.push_back(std::ssize(between.shape));
      between.shape.push_back(from.shape[static_cast<std::size_t>(dim)]);
    }
    Op some = op, all = op;
    some.results = {function_.add_value(between)};
    some.set("dimensions", {first});
    all.operands[0] = some.results[0];
    all.set("dimensions", {rest});
    ops.push_back(std::move(some));
    ops.push_back(std::move(all));
    return true;
  }

  // One element a row of a shape that is reduced along rows, where rows of it repeat.
  bool spread(const Op& op, std::vector<Op>& ops) {
    if (op.kind != OpKind::broadcast_in_dim || type(op.operands[0]).elements() < 2) return false;
    const auto places = op.integers("broadcast_dimensions");
    const Type& to = type(op.results[0]);
    if (!std::ranges::is_sorted(places)) return false;
    std::int64_t end = 0, given = 1, rows = 1;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::int64_t size = type(op.operands[0]).shape[i];
      given *= size;
      if (size > 1) end = places[i] + 1;
    }
    for (std::int64_t dim = 0; dim < end; ++dim) rows *= to.shape[static_cast<std::size_t>(dim)];
    if (given == rows || end == to.rank() || !has_rows(to.shape, end)) return false;
    graph::Builder write(function_, ops, op.location);
    Dims kept, dense, wide(to.shape.begin(), to.shape.begin() + end);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (type(op.operands[0]).shape[i] == 1) continue;
      kept.push_back(places[i]);
      dense.push_back(type(op.operands[0]).shape[i]);
    }
    const ValueId from =
        dense == type(op.operands[0]).shape ? op.operands[0] : write.reshape(op.operands[0], dense);
    const ValueId numbers = write.spread(from, kept, wide);
    Dims all(static_cast<std::size_t>(end));
    for (std::int64_t dim = 0; dim < end; ++dim) all[static_cast<std::size_t>(dim)] = dim;
    Op made = op;
    made.operands = {numbers};
    made.set("broadcast_dimensions", {all});
    ops.push_back(std::move(made));
    return true;
  }

  // Whether rows of that shape are reduced that begin there, or before.
  [[nodiscard]] bool has_rows(const Dims& shape, std::int64_t end) const {
    const auto first = rows_.lower_bound({shape, 0});
    return first != rows_.end() && first->first == shape && first->second <= end;
  }

  Function& function_;
  std::map<Dims, std::set<Dims>> reduced_;  // dimensions, by shape
  std::map<ValueId, Dims> firsts_;  // by result: what a reduction in two steps reduces first
  std::set<std::pair<Dims, std::int64_t>> rows_;
};

}  // namespace

void sum_in_steps(graph::Module& module) {
  for (Function& function : module.functions) Stepper{function};
}

}  // namespace trainyard::compiler
