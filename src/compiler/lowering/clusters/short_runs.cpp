#include "compiler/lowering/clusters/short_runs.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/lowering/values/layout.h"
#include "graph/builder.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

constexpr std::int64_t run_max = 64;  // elements; longer ones make good transfers
constexpr std::int64_t runs_min = 16;

class ShortRuns {
 public:
  ShortRuns(Function& function, std::int64_t partitions)
      : function_(function), partitions_(partitions) {
    run(function.body);
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
  void run(Region& region) {
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      for (Region& inner : op.regions) run(inner);
      if (pads_short_rows(op)) {
        pad_apart(op, ops);
      } else {
        ops.push_back(std::move(op));
      }
    }
    region.ops = std::move(ops);
    ops.clear();
    for (Op& op : region.ops) {
      if (!is_one(op)) {
        ops.push_back(std::move(op));
        continue;
      }
      graph::Builder write(function_, ops, op.location);
      write.reshape(joined(op, write), shape(op.results[0]));
      ops.back().results = op.results;
    }
    region.ops = std::move(ops);
  }

  [[nodiscard]] const Dims& shape(ValueId value) const { return function_.type(value).shape; }

  // Whether it joins many short runs of which its dimensions put few on a partition.
  [[nodiscard]] bool is_one(const Op& op) const {
    if (op.kind != OpKind::concatenate || !function_.type(op.results[0]).is_static()) return false;
    const std::span<const std::int64_t> all(shape(op.results[0]));
    const auto dim = static_cast<std::size_t>(op.integer("dimension"));
    const std::int64_t runs = product(all.first(dim)), run = product(all.subspan(dim));
    if (run == 0 || run > run_max || runs < runs_min * partitions_) return false;
    const std::optional<Layout> layout = by_rows(shape(op.results[0]), partitions_);
    return !layout || layout->row_dims > dim ||
           product(all.subspan(layout->row_dims, dim - layout->row_dims)) < runs_min;
  }

  // Whether it writes something beside each of many short rows, which are transfers of their own.
  [[nodiscard]] bool pads_short_rows(const Op& op) const {
    if (op.kind != OpKind::pad || !function_.type(op.results[0]).is_static()) return false;
    const Dims &from = shape(op.operands[0]), &to = shape(op.results[0]);
    if (to.empty() || from.back() == 0 || to.back() > run_max ||
        product(std::span<const std::int64_t>(from)) / from.back() < runs_min * partitions_)
      return false;
    const std::int64_t low = op.integers("edge_padding_low").back(),
                       high = op.integers("edge_padding_high").back();
    return low >= 0 && high >= 0 && low + high > 0 && op.integers("interior_padding").back() == 0;
  }

  // The last dimension is joined with what pads it; the operation that is left pads the others.
  void pad_apart(const Op& op, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    std::vector<ValueId> parts;
    const auto fill = [&](std::int64_t columns) {
      Dims some = shape(op.operands[0]);
      some.back() = columns;
      if (columns > 0) parts.push_back(write.spread(op.operands[1], {}, std::move(some)));
    };
    fill(op.integers("edge_padding_low").back());
    parts.push_back(op.operands[0]);
    fill(op.integers("edge_padding_high").back());
    Type type = function_.type(op.operands[0]);
    type.shape.back() = shape(op.results[0]).back();
    Op rest = op;
    rest.operands[0] = write.emit(OpKind::concatenate, std::move(parts), Type(type),
                                  {{"dimension", {type.rank() - 1}}});
    if (type.shape == shape(op.results[0])) {
      ops.back().results = op.results;
      return;
    }
    for (const char* const name : {"edge_padding_low", "edge_padding_high"}) {
      Dims widths(op.integers(name).begin(), op.integers(name).end());
      widths.back() = 0;
      rest.set(name, {std::move(widths)});
    }
    ops.push_back(std::move(rest));
  }

  // As [rows, runs, elements of a run]; the runs that fill no row by themselves.
  ValueId joined(const Op& op, graph::Builder& write) {
    const std::span<const std::int64_t> all(shape(op.results[0]));
    const auto dim = static_cast<std::size_t>(op.integer("dimension"));
    const std::int64_t runs = product(all.first(dim)), run = product(all.subspan(dim));
    const std::int64_t most = std::min(tile_columns / run, runs / partitions_);
    std::int64_t each = most;
    while (2 * each > most && runs % each != 0) --each;
    const bool divides = runs % each == 0;
    if (!divides) each = most;
    const std::int64_t left = runs % each;
    std::vector<ValueId> parts, rest;
    for (const ValueId operand : op.operands) {
      const std::int64_t length =
          product(std::span<const std::int64_t>(shape(operand)).subspan(dim));
      if (length == 0) continue;
      const ValueId flat = write.reshape(operand, {runs, length});
      if (left > 0) rest.push_back(write.sliced(flat, 0, runs - left, runs));
      parts.push_back(write.reshape(left > 0 ? write.sliced(flat, 0, 0, runs - left) : flat,
                                    {runs / each, each, length}));
    }
    Type type = function_.type(op.results[0]);
    type.shape = {runs / each, each, run};
    const ValueId main =
        write.emit(OpKind::concatenate, parts, Type(type), {{"dimension", {std::int64_t{2}}}});
    if (left == 0) return main;
    type.shape = {left, run};
    const ValueId last =
        write.emit(OpKind::concatenate, rest, Type(type), {{"dimension", {std::int64_t{1}}}});
    type.shape = {runs, run};
    return write.emit(OpKind::concatenate, {write.reshape(main, {runs - left, run}), last},
                      std::move(type), {{"dimension", {std::int64_t{0}}}});
  }

  Function& function_;
  std::int64_t partitions_;
};

}  // namespace

void join_short_runs(graph::Module& module, const machine::Core& core) {
  for (Function& function : module.functions) ShortRuns(function, core.sbuf.partitions);
}

}  // namespace trainyard::compiler
