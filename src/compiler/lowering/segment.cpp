#include "compiler/lowering/segment.h"

#include "base/error.h"
#include "compiler/lowering/elementwise.h"
#include "compiler/lowering/group.h"
#include "compiler/lowering/movement.h"

namespace trainyard::compiler {

NodeId Segment::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId Segment::add_view(graph::Type type, Strided view) {
  return add({.kind = Node::Kind::view, .type = std::move(type), .view = std::move(view)});
}

NodeId Segment::add_constant(const graph::Literal& literal) {
  const isa::DType dtype = *storage_of(literal.type.element);
  const isa::TensorId id = emitter_.constant(dtype, literal.type.shape, literal.expanded());
  return add_view(literal.type, dense(id, dtype, literal.type.shape));
}

const Strided& Segment::stored(NodeId id) {
  if (nodes_.at(id).kind != Node::Kind::view) {
    const Node& node = nodes_[id];
    const isa::DType dtype = *storage_of(node.type.element);
    emitter_.at(node.location);
    const Strided place = dense(emitter_.hbm(dtype, node.type.shape), dtype, node.type.shape);
    compute(*this, id, place);
    nodes_[id].kind = Node::Kind::view;
    nodes_[id].view = place;
  }
  return nodes_[id].view;
}

const Strided& Segment::stored_dense(NodeId id) {
  const Strided value = stored(id);
  if (!value.is_dense()) {
    const Strided place =
        dense(emitter_.hbm(value.dtype, value.shape()), value.dtype, value.shape());
    copy(emitter_, value, place);
    nodes_[id].view = place;
  }
  return nodes_[id].view;
}

void Segment::store(NodeId id, const Strided& to) {
  if (nodes_.at(id).kind == Node::Kind::view) {
    copy(emitter_, nodes_[id].view, to);
  } else {
    compute(*this, id, to);
  }
}

}  // namespace trainyard::compiler
