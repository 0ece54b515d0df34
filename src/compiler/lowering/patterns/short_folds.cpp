#include "compiler/lowering/patterns/short_folds.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

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

constexpr std::int64_t folded_max = 16;  // elements that become one
// Of the result, for each of them: fewer are sooner reduced row by row, 128 rows at a time.
constexpr std::int64_t kept_min = 1024;

class ShortFolds {
 public:
  explicit ShortFolds(Function& function) : function_(function) {}
  void run() { run(function_.body); }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
  void run(Region& region) {
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      if (is_one(op)) {
        write_out(op, ops);
        continue;
      }
      for (Region& inner : op.regions) run(inner);
      ops.push_back(std::move(op));
    }
    region.ops = std::move(ops);
  }

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }

  // Over one dimension, by a region of elementwise operations.
  [[nodiscard]] bool is_one(const Op& op) const {
    if (op.kind != OpKind::reduce || op.results.size() < 2 || op.integers("dimensions").size() != 1)
      return false;
    const Type& from = type(op.operands[0]);
    if (!from.is_static() || !type(op.results[0]).is_static()) return false;
    const std::int64_t folded =
        from.shape[static_cast<std::size_t>(op.integers("dimensions").front())];
    if (folded < 1 || folded > folded_max || type(op.results[0]).elements() < kept_min)
      return false;
    return std::ranges::all_of(op.regions.at(0).ops, [&](const Op& each) {
      return each.kind == OpKind::return_ || each.kind == OpKind::constant ||
             (graph::is(each.kind, graph::Trait::elementwise) && each.results.size() == 1);
    });
  }

  void write_out(const Op& op, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    const std::size_t count = op.results.size();
    const std::int64_t dim = op.integers("dimensions").front();
    const Dims kept = type(op.results[0]).shape;
    const std::int64_t folded = type(op.operands[0]).shape[static_cast<std::size_t>(dim)];
    std::vector<ValueId> now;
    for (std::size_t i = 0; i < count; ++i)
      now.push_back(write.spread(op.operands[count + i], {}, kept));
    for (std::int64_t step = 0; step < folded; ++step) {
      std::vector<ValueId> given = now;
      for (std::size_t i = 0; i < count; ++i)
        given.push_back(write.reshape(write.sliced(op.operands[i], dim, step, step + 1), kept));
      now = applied(op.regions.at(0), given, kept, write);
    }
    for (std::size_t i = 0; i < count; ++i)
      ops.push_back({.kind = OpKind::reshape,
                     .operands = {now[i]},
                     .results = {op.results[i]},
                     .location = op.location});
  }

  // What a region of scalars makes of arrays.
  [[nodiscard]] std::vector<ValueId> applied(const Region& region,
                                             const std::vector<ValueId>& given, const Dims& shape,
                                             graph::Builder& write) const {
    std::map<ValueId, ValueId> names;
    for (std::size_t i = 0; i < given.size(); ++i) names[region.arguments[i]] = given[i];
    const auto array_of = [&](ValueId scalar) {
      const auto found = names.find(scalar);
      return found != names.end() ? found->second : write.spread(scalar, {}, shape);
    };
    std::vector<ValueId> results;
    for (const Op& op : region.ops) {
      std::vector<ValueId> operands;
      for (const ValueId operand : op.operands) operands.push_back(array_of(operand));
      if (op.kind == OpKind::return_) {
        results = std::move(operands);
      } else if (op.kind == OpKind::constant) {
        names[op.results[0]] = write.spread(write.constant(op.literal("value")), {}, shape);
      } else {
        names[op.results[0]] =
            write.emit(op.kind, std::move(operands),
                       {.element = type(op.results[0]).element, .shape = shape}, op.attributes);
      }
    }
    return results;
  }

  Function& function_;
};

}  // namespace

void write_short_folds_out(graph::Module& module) {
  for (Function& function : module.functions) ShortFolds{function}.run();
}

}  // namespace trainyard::compiler
