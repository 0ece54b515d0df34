#include "compiler/lowering/canonical/wide_sums.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "graph/builder.h"
#include "graph/folds.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

bool is_narrow(ElementType type) { return graph::is_float(type) && graph::bits(type) < 32; }

// Windows as long as the dimension they slide along: running sums.
bool runs_along(const Op& op, const Type& type) {
  const std::span<const std::int64_t> sizes = op.integers("window_dimensions");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 1 && sizes[i] == type.shape[i]) return true;
  }
  return false;
}

bool reads_arguments_alone(const Region& region) {
  std::vector<ValueId> known = region.arguments;
  for (const Op& op : region.ops) {
    const bool are_known = std::ranges::all_of(
        op.operands, [&](ValueId value) { return std::ranges::find(known, value) != known.end(); });
    if (!are_known || !op.regions.empty() || op.kind == OpKind::constant) return false;
    known.insert(known.end(), op.results.begin(), op.results.end());
  }
  return true;
}

class WideSums {
 public:
  explicit WideSums(graph::Function& function) : function_(function) {
    graph::replace_each(function.body, [&](Op& op, std::vector<Op>& ops) {
      if (!is_widened(op)) return false;
      widen(std::move(op), ops);
      return true;
    });
  }

 private:
  [[nodiscard]] bool is_widened(const Op& op) const {
    const bool selects = op.kind == OpKind::select_and_scatter;
    const bool joins = op.kind == OpKind::reduce && op.results.size() > 1;
    const bool slides = op.kind == OpKind::reduce_window &&
                        (op.results.size() > 1 || !runs_along(op, function_.type(op.operands[0])));
    if (!selects && !joins && !slides) return false;
    const auto kinds = graph::simple_folds(op.regions.back());
    const auto adds = [](OpKind kind) { return kind == OpKind::add || kind == OpKind::multiply; };
    return kinds && std::ranges::any_of(*kinds, adds) &&
           std::ranges::all_of(op.regions, reads_arguments_alone) &&
           std::ranges::all_of(op.results, [&](ValueId value) {
             const Type& type = function_.type(value);
             return type.is_static() && type.quantized.empty() && is_narrow(type.element);
           });
  }

  void widen(Op op, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    for (ValueId& operand : op.operands) operand = write.convert(operand, ElementType::f32);
    for (Region& region : op.regions) widen_region(region);
    const std::vector<ValueId> narrow = op.results;
    for (ValueId& result : op.results)
      result =
          function_.add_value({.element = ElementType::f32, .shape = function_.type(result).shape});
    const std::vector<ValueId> wide = op.results;
    const graph::LocationId location = op.location;
    ops.push_back(std::move(op));
    for (std::size_t i = 0; i < narrow.size(); ++i)
      ops.push_back({.kind = OpKind::convert,
                     .operands = {wide[i]},
                     .results = {narrow[i]},
                     .location = location});
  }

  // Every number in it is an element of the operands or is folded from them.
  void widen_region(Region& region) {
    const auto widened = [&](ValueId& value) {
      Type type = function_.type(value);
      if (!is_narrow(type.element)) return;
      const auto [found, is_new] = wide_.try_emplace(value, 0);
      if (is_new) {
        type.element = ElementType::f32;
        found->second = function_.add_value(std::move(type));
      }
      value = found->second;
    };
    for (ValueId& argument : region.arguments) widened(argument);
    for (Op& op : region.ops) {
      for (ValueId& operand : op.operands) widened(operand);
      for (ValueId& result : op.results) widened(result);
    }
  }

  graph::Function& function_;
  std::map<ValueId, ValueId> wide_;
};

}  // namespace

void widen_sums(graph::Module& module) {
  for (graph::Function& function : module.functions) WideSums{function};
}

}  // namespace trainyard::compiler
