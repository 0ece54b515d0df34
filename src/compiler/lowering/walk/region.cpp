#include "compiler/lowering/walk/region.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/literal.h"
#include "compiler/lowering/walk/nodes.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::OpKind;

std::vector<graph::Type> types_of(const Op& op, const auto& wide) {
  std::vector<graph::Type> types;
  for (const graph::ValueId value : op.operands) types.push_back(wide(value));
  for (const graph::ValueId value : op.results) types.push_back(wide(value));
  return types;
}

// A scalar on every element. NaN and minus zero are no numbers, but constants in HBM.
NodeId constant(Lowerer& lowerer, const graph::Literal& literal, const graph::Type& type) {
  if (const std::optional<double> number = one_number(literal))
    return number_node(lowerer, type, *number);
  Segment& segment = lowerer.segment();
  return segment.add_view(type,
                          broadcast(segment.stored(segment.add_constant(literal)), {}, type.shape));
}

// Of scalars it changes nothing.
bool is_same(const Op& op, std::span<const graph::Type> types) {
  return (op.kind == OpKind::convert || op.kind == OpKind::reshape ||
          op.kind == OpKind::broadcast_in_dim) &&
         types.front() == types.back();
}

}  // namespace

graph::Type ElementRegion::wide(graph::ValueId value, std::span<const std::int64_t> shape) const {
  graph::Type type = lowerer_.type(value);
  type.shape.assign(shape.begin(), shape.end());
  return type;
}

bool ElementRegion::lowers() const {
  return std::ranges::all_of(region_.ops, [&](const Op& op) {
    if (op.kind == OpKind::return_) return true;
    const std::vector<graph::Type> types =
        types_of(op, [&](graph::ValueId value) { return wide(value, {}); });
    const bool is_stored = std::ranges::all_of(types, [](const graph::Type& type) {
      return storage_of(type.element).has_value() && graph::bits(type.element) <= 32;
    });
    if (!is_stored) return false;
    if (op.kind == OpKind::constant) return true;
    return is_same(op, types) || lowers_elementwise(op, types);
  });
}

std::vector<NodeId> ElementRegion::apply(std::span<const NodeId> arguments,
                                         std::span<const std::int64_t> shape) const {
  std::map<graph::ValueId, NodeId> nodes;
  for (std::size_t i = 0; i < arguments.size(); ++i) nodes[region_.arguments[i]] = arguments[i];
  const auto node = [&](graph::ValueId value) {
    const auto found = nodes.find(value);  // others come from around the region
    return found != nodes.end() ? found->second
                                : spread(lowerer_, lowerer_.node(value), wide(value, shape));
  };
  for (const Op& op : region_.ops) {
    if (op.kind == OpKind::return_) break;
    std::vector<graph::Type> types =
        types_of(op, [&](graph::ValueId value) { return wide(value, shape); });
    std::vector<NodeId> inputs;
    for (const graph::ValueId value : op.operands) inputs.push_back(node(value));
    if (op.kind == OpKind::constant) {
      nodes[op.results[0]] = constant(lowerer_, op.literal("value"), types.back());
    } else if (is_same(op, types)) {
      nodes[op.results[0]] = inputs.front();
    } else {
      nodes[op.results[0]] = elementwise_node(lowerer_, op, std::move(types), std::move(inputs));
    }
  }
  std::vector<NodeId> results;
  for (const graph::ValueId value : region_.ops.back().operands) results.push_back(node(value));
  return results;
}

}  // namespace trainyard::compiler
