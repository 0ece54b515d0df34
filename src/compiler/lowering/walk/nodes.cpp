#include "compiler/lowering/walk/nodes.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/literal.h"
#include "isa/instructions/register_store.h"

namespace trainyard::compiler {

using graph::Op;
using graph::OpKind;
using graph::Type;

Strided fresh(Lowerer& lowerer, const Type& type) {
  const isa::DType dtype = *storage_of(type.element);
  return dense(lowerer.segment().emitter().hbm(dtype, type.shape), dtype, type.shape);
}

bool define_view(Lowerer& lowerer, const Op& op, Strided view) {
  lowerer.define(op.results[0],
                 lowerer.segment().add_view(lowerer.type(op.results[0]), std::move(view)));
  return true;
}

NodeId number_node(Lowerer& lowerer, const Type& type, double number) {
  return lowerer.segment().add({.kind = Node::Kind::number, .type = type, .number = number});
}

NodeId counted_node(Lowerer& lowerer, const Type& type, const Counted& number) {
  if (number.is_known()) return number_node(lowerer, type, static_cast<double>(number.constant));
  const std::optional<isa::DType> dtype = storage_of(type.element);
  if (!dtype || graph::bits(type.element) > 32) throw NotInHardware{};
  Segment& segment = lowerer.segment();
  Emitter& emitter = segment.emitter();
  const isa::TensorId tensor = emitter.hbm(*dtype, {});
  const isa::Register value = emitter.register_of(number);
  const std::int64_t bytes = numerics::size_in_bytes(*dtype);
  isa::Tile tile = hbm_tile(tensor, *dtype, 0, {});
  if (segment.residents().admit(bytes)) {
    tile = emitter.sbuf(*dtype, 1, 1);
    segment.residents().begin(tensor, 1, 1, bytes);
    segment.residents().put(tensor, {0, 1, 0, 1}, tile);
  }
  emitter.emit(isa::RegisterStore{.dst = tile, .src = value});
  return segment.add_view(type, dense(tensor, *dtype, type.shape));
}

NodeId counting_node(Lowerer& lowerer, const Type& type) {
  std::optional<graph::Literal> counted = counting(type.element, type.elements());
  base::check(counted.has_value(), "the type counts");
  counted->type = type;
  return lowerer.segment().add_constant(*counted);
}

NodeId spread(Lowerer& lowerer, NodeId node, const Type& like) {
  Segment& segment = lowerer.segment();
  if (segment.node(node).type.shape == like.shape) return node;
  Type type = segment.node(node).type;
  type.shape = like.shape;
  if (segment.node(node).kind == Node::Kind::number) {
    Node number = segment.node(node);
    number.type = type;
    return segment.add(std::move(number));
  }
  return segment.add_view(type, broadcast(segment.placed(node), {}, like.shape));
}

bool define_moved(Lowerer& lowerer, const Op& op, const Move& move) {
  Segment& segment = lowerer.segment();
  const NodeId id = lowerer.node(op.operands[0]);
  if (!segment.is_widened_view(id)) return define_view(lowerer, op, move(segment.placed(id)));
  Node node = segment.node(id);
  node.type = node.types[1] = lowerer.type(op.results[0]);
  node.types[0].shape = node.type.shape;
  node.inputs[0] = segment.add_view(node.types[0], move(segment.node(node.inputs[0]).view));
  lowerer.define(op.results[0], segment.add(std::move(node)));
  return true;
}

namespace {

// The product that a value is computed from; a group has one at most.
const Node* product_of(const Segment& segment, NodeId id) {
  const Node* found = nullptr;
  static_cast<void>(segment.reaches(id, [&](const Node& node) {
    if (node.kind == Node::Kind::product) found = &node;
    return found != nullptr;
  }));
  return found;
}

}  // namespace

NodeId elementwise_node(Lowerer& lowerer, const Op& op, std::vector<Type> types,
                        std::vector<NodeId> inputs) {
  Segment& segment = lowerer.segment();
  std::optional<NodeId> first;
  for (const NodeId input : inputs) {  // a group computes one product at most
    const Node* const product = product_of(segment, input);
    if (product == nullptr) continue;
    if (!first) {
      first = input;
    } else if (product != product_of(segment, *first)) {
      segment.placed(input);
    }
  }
  return segment.add({.kind = Node::Kind::elementwise,
                      .type = types.back(),
                      .location = op.location,
                      .op = &op,
                      .types = std::move(types),
                      .inputs = std::move(inputs)});
}

NodeId joined_node(Lowerer& lowerer, const Op& op, std::vector<NodeId> inputs) {
  Segment& segment = lowerer.segment();
  for (const NodeId input : inputs) {
    if (product_of(segment, input) != nullptr) segment.placed(input);
  }
  return segment.add({.kind = Node::Kind::joined,
                      .type = lowerer.type(op.results[0]),
                      .location = op.location,
                      .inputs = std::move(inputs),
                      .dim = static_cast<std::size_t>(op.integer("dimension"))});
}

NodeId apply(Lowerer& lowerer, OpKind kind, std::vector<NodeId> inputs, const Type& result,
             graph::LocationId location, graph::Dictionary attributes) {
  std::vector<Type> types;
  for (const NodeId input : inputs) types.push_back(lowerer.segment().node(input).type);
  types.push_back(result);
  const Op& op = lowerer.invent({.kind = kind,
                                 .operands = std::vector<graph::ValueId>(inputs.size()),
                                 .results = {0},
                                 .attributes = std::move(attributes),
                                 .location = location});
  base::check(lowers_elementwise(op, types), "an invented operation has a row");
  return elementwise_node(lowerer, op, std::move(types), std::move(inputs));
}

NodeId compared(Lowerer& lowerer, NodeId left, std::string_view direction, NodeId right,
                graph::LocationId location) {
  Type result = lowerer.segment().node(left).type;
  result.element = graph::ElementType::pred;
  return apply(lowerer, OpKind::compare, {left, right}, result, location,
               {{"comparison_direction", {std::string(direction)}}});
}

}  // namespace trainyard::compiler
