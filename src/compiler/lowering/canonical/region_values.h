// The values of a region that compares and chooses, by the operations that make them: what
// recognises a region asks for.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/module.h"

namespace trainyard::compiler {

class RegionValues {
 public:
  explicit RegionValues(const graph::Region& region) : region_(region) {}

  [[nodiscard]] const graph::Op* of(graph::ValueId value, graph::OpKind kind) const {
    for (const graph::Op& op : region_.ops) {
      if (op.kind == kind && op.results.size() == 1 && op.results[0] == value) return &op;
    }
    return nullptr;
  }
  // "GT", "LT" ... of two values; `total`: in IEEE's totalOrder.
  [[nodiscard]] bool compares(graph::ValueId value, std::string_view how, graph::ValueId a,
                              graph::ValueId b, bool total = false) const {
    const graph::Op* const op = of(value, graph::OpKind::compare);
    return op != nullptr && op->text("comparison_direction") == how && op->operands[0] == a &&
           op->operands[1] == b &&
           total ==
               (op->find("compare_type") != nullptr && op->text("compare_type") == "TOTALORDER");
  }
  // Both operands, in the order that the first of these tests asks for.
  template <typename First, typename Second>
  [[nodiscard]] bool joins(graph::ValueId value, graph::OpKind kind, First&& first,
                           Second&& second) const {
    const graph::Op* const op = of(value, kind);
    if (op == nullptr) return false;
    const graph::ValueId a = op->operands[0], b = op->operands[1];
    return (first(a) && second(b)) || (first(b) && second(a));
  }
  [[nodiscard]] std::optional<graph::ValueId> condition(graph::ValueId value, graph::ValueId one,
                                                        graph::ValueId other) const {
    const graph::Op* const op = of(value, graph::OpKind::select);
    if (op == nullptr || op->operands[1] != one || op->operands[2] != other) return std::nullopt;
    return op->operands[0];
  }

 private:
  const graph::Region& region_;
};

// The operation of a region, or of one inside of it, that makes the value; null for an argument.
inline const graph::Op* definition(const graph::Region& region, graph::ValueId value) {
  for (const graph::Op& op : region.ops) {
    if (std::ranges::find(op.results, value) != op.results.end()) return &op;
    for (const graph::Region& nested : op.regions) {
      if (const graph::Op* const found = definition(nested, value)) return found;
    }
  }
  return nullptr;
}

}  // namespace trainyard::compiler
